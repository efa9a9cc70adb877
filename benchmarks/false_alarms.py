"""Audit correct policies with many seeds: how often an audit raises an alarm where there is nothing to find.

For each kind of release the first policy of the papers and the arena whose ledger keeps its promise, at every tap and epsilon of a
scale. The rows of one seed are one table of audits, so that its bounds hold together with the confidence of a table. Faults are not
planted, since no alarm depends on what is found of them. Prints the table of docs/audit.md:

    python benchmarks/false_alarms.py --seeds 200 --scale smoke

`expected`: the most that the confidence allows. `above at 95%`: how many bounds would be above the ledger if each had a confidence of
95% alone; at most one in twenty may be. `|z|`: the largest disagreement of the counts with the tape, in standard errors.
"""

import argparse
import math
import time
from pathlib import Path

from dpbandits.audit import lower_bounds
from dpbandits.audit.audit_table import ALARMS
from dpbandits.audit.estimation import bounds
from dpbandits.audit.lower_bounds import CONFIDENCE, Mechanism, Result
from dpbandits.claims.scoreboard import LEFT, RIGHT, as_table
from dpbandits.plan.plan import Plan
from dpbandits.studies import yaml_file
from dpbandits.studies.model import Effort

ROOT = Path(__file__).parent.parent
# Of their releases no word of `dpbandits.privacy.releases` speaks, so that their actions alone are audited.
ACTIONS = {"adac_ucb": "Gaussian means", "dist_dp_se": "sums of an aggregator", "exp3": "actions"}
COLUMNS = {"what is released": LEFT, "policy": LEFT} | dict.fromkeys(
    ("audits", "alarms", "expected, at most", "above at 95%", "largest abs(z)"), RIGHT
)


def correct_policies(plan: Plan, epsilon: float) -> dict[str, Mechanism]:
    """What is released -> the first policy that releases it and spends no more than it promises."""
    found: dict[str, Mechanism] = {}
    for study in plan.studies:
        for _, mechanism in lower_bounds.policies(plan.audited(study)):
            if not list(lower_bounds.jobs_of(mechanism, [epsilon])):
                continue
            given = epsilon if mechanism.budget else None
            games = mechanism.settings(given)
            accounts = [mechanism.account(setting, given) for setting in (*games.actions, *games.releases)]
            kind = mechanism.releases(given)
            if kind == "actions":
                kind = ACTIONS.get(mechanism.algorithm)
            if kind and all(account.kept for account in accounts):
                found.setdefault(kind, mechanism)
    return found


def line(kind: str, policy: str, results: list[Result], alpha: float) -> list[str]:
    """The cells of one kind of release."""
    above = [
        float(bounds(*each.bound.hits, each.bound.games, 0.05, each.account.delta)) > each.account.spent * (1 + 1e-9)
        for each in results
    ]
    disagreements = [each.bound.disagreement for each in results if not math.isnan(each.bound.disagreement)]
    return [
        kind,
        f"`{policy}`",
        str(len(results)),
        str(sum(each.finding in ALARMS for each in results)),
        f"{alpha * len(results):.2g}",
        str(sum(above)),
        f"{max(disagreements):.1f}" if disagreements else "",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--scale", default="smoke", choices=["smoke", "draft", "paper"])
    arguments = parser.parse_args()
    settings = yaml_file.read_yaml(ROOT / "config/config.yaml") | {"scale": arguments.scale}
    effort = Effort(**settings["audit"][arguments.scale])
    policies = correct_policies(Plan(settings), effort.epsilons[-1])
    jobs = {kind: list(lower_bounds.jobs_of(mechanism, effort.epsilons)) for kind, mechanism in policies.items()}
    alpha = (1 - CONFIDENCE) / (2 * sum(map(len, jobs.values())))
    lines = []
    for kind, mechanism in policies.items():
        results = [
            lower_bounds.audit(mechanism, tap, epsilon, alpha, seed, effort, planted=False)
            for seed in range(1, arguments.seeds + 1)
            for tap, epsilon in jobs[kind]
        ]
        lines.append(line(kind, mechanism.algorithm, results, alpha))
    print(f"{as_table(COLUMNS, lines)}\n\n{time.process_time():.0f} CPU-seconds")


if __name__ == "__main__":
    main()
