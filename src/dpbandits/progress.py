"""How far a run is, and how long it will still take, from the seconds that its jobs were estimated to need.

The estimates are wrong by a common factor on every machine, and by another one for every job. Hence two corrections, each
starting from what would hold if the estimates were exact (for `PRIOR_SECONDS`, so that the first jobs do not decide alone):

    slowness   how many seconds a job takes for each estimated second, from the jobs that ended and those that are overdue
    rate       estimated seconds of work done in a second, by all jobs together: at first `at_once` / slowness

What is left takes (estimated seconds of work left) / rate, but never less than the longest job that is running or waiting.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

PRIOR_SECONDS = 20.0
ALMOST = 0.95  # a job that runs is never counted as done, however long it has been running


@dataclass(frozen=True)
class Task:
    """A job of the plan: the paper that it belongs to, empty if to none, and its estimated seconds."""

    paper: str
    seconds: float


@dataclass
class Progress:
    """The jobs of a run: which are running since when, and which are finished. All times are seconds on one clock."""

    plan: Mapping[int, Task]
    at_once: int  # how many jobs may run at the same time
    begun: float
    running: dict[int, float] = field(default_factory=dict)  # job -> when it started
    finished: dict[int, float] = field(default_factory=dict)  # job -> how long it took

    def start(self, jobs: Iterable[int], now: float) -> None:
        self.running |= {job: now for job in jobs if job in self.plan}

    def finish(self, job: int, now: float) -> None:
        if job in self.running:
            self.finished[job] = now - self.running.pop(job)

    def fail(self, job: int) -> None:
        """The job failed: it waits again, and may be restarted."""
        self.running.pop(job, None)

    @property
    def complete(self) -> bool:
        return len(self.finished) == len(self.plan)

    @property
    def papers_at_work(self) -> list[str]:
        return sorted({self.plan[job].paper for job in self.running} - {""})

    def jobs_of(self, paper: str) -> list[int]:
        return [job for job, task in self.plan.items() if task.paper == paper]

    def slowness(self, now: float) -> float:
        """Seconds that a job takes for each second that it was estimated to take."""
        taken = estimated = PRIOR_SECONDS
        for job, seconds in self.finished.items():
            taken, estimated = taken + seconds, estimated + self.plan[job].seconds
        for job, since in self.running.items():
            if now - since > self.plan[job].seconds:
                taken, estimated = taken + now - since, estimated + self.plan[job].seconds
        return taken / estimated

    def seconds_done(self, now: float) -> float:
        """The work done, in estimated seconds, with a part of each job that is running."""
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
        """How long until every job is finished."""
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
