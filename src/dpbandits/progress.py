"""The progress of a run and its remaining time, from the estimated seconds of its jobs.

The estimates are wrong by one factor for the machine and by another for every job. Hence two corrections, each with a
prior, `PRIOR_SECONDS` of work with exact estimates, so that the first jobs do not decide alone:

    slowness   how many seconds a job takes for each estimated second, from finished jobs and overdue ones
    rate       estimated seconds of work done per second by all jobs together; at the start `at_once` / slowness

The remaining time is (estimated seconds of work left) / rate, and at least that of the longest running or waiting job.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

PRIOR_SECONDS = 20.0
ALMOST = 0.95  # at most this share of a running job counts as done, however long it has been running


@dataclass(frozen=True)
class Task:
    """A job of the plan: the paper that it belongs to (empty if none) and its estimated seconds."""

    paper: str
    seconds: float


@dataclass
class Progress:
    """The planned, running and finished jobs of a run. All times are seconds on one clock."""

    plan: Mapping[int, Task]
    at_once: int  # the largest number of simultaneous jobs
    begun: float
    running: dict[int, float] = field(default_factory=dict)  # job -> time of its start
    finished: dict[int, float] = field(default_factory=dict)  # job -> its duration

    def start(self, jobs: Iterable[int], now: float) -> None:
        self.running |= {job: now for job in jobs if job in self.plan}

    def finish(self, job: int, now: float) -> None:
        if job in self.running:
            self.finished[job] = now - self.running.pop(job)

    def fail(self, job: int) -> None:
        """The job failed: it counts as waiting, since it may be restarted."""
        self.running.pop(job, None)

    @property
    def complete(self) -> bool:
        return len(self.finished) == len(self.plan)

    @property
    def running_papers(self) -> list[str]:
        return sorted({self.plan[job].paper for job in self.running} - {""})

    def jobs_of(self, paper: str) -> list[int]:
        return [job for job, task in self.plan.items() if task.paper == paper]

    def slowness(self, now: float) -> float:
        """Seconds that a job takes per estimated second."""
        taken = estimated = PRIOR_SECONDS
        for job, seconds in self.finished.items():
            taken, estimated = taken + seconds, estimated + self.plan[job].seconds
        for job, since in self.running.items():
            if now - since > self.plan[job].seconds:
                taken, estimated = taken + now - since, estimated + self.plan[job].seconds
        return taken / estimated

    def seconds_done(self, now: float) -> float:
        """The work done in estimated seconds, including a part of each running job."""
        slowness = self.slowness(now)
        return sum(self.plan[job].seconds for job in self.finished) + sum(
            min((now - since) / slowness, ALMOST * self.plan[job].seconds) for job, since in self.running.items()
        )

    def share_done(self, now: float) -> float:
        total = sum(task.seconds for task in self.plan.values())
        if self.complete:
            return 1.0
        return min(1.0, self.seconds_done(now) / total) if total else 0.0

    def seconds_left(self, now: float) -> float:
        """Estimated time until every job is finished."""
        slowness, done = self.slowness(now), self.seconds_done(now)
        at_once = max(1, min(self.at_once, len(self.plan) - len(self.finished)))
        rate = (PRIOR_SECONDS * at_once / slowness + done) / (PRIOR_SECONDS + now - self.begun)
        of_each = [
            max(0.0, slowness * task.seconds - (now - self.running.get(job, now)))
            for job, task in self.plan.items()
            if job not in self.finished
        ]
        left = max(0.0, sum(task.seconds for task in self.plan.values()) - done)
        return max([left / rate, *of_each]) if of_each else 0.0


def duration(seconds: float) -> str:
    """12 s, 3 min, 1 h 05 min."""
    minutes = round(seconds / 60)
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"


def time_left(seconds: float) -> str:
    return "under a minute left" if seconds < 60 else f"about {duration(seconds)} left"
