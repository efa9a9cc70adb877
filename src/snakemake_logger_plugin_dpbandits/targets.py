"""What to ask for instead of a target that does not exist."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dpbandits.errors import nearest

MISSING = re.compile(r"^MissingRuleException:\nNo rule to produce (\S+)")


@dataclass
class Targets:
    """The targets of a workflow, which it announces while it is read."""

    scale: str = "paper"
    known: Callable[[], Iterable[str]] = tuple  # the names of all targets and files; called only if one is missing
    times: Callable[[list], Iterable[str]] = tuple  # what to say about the time of jobs with these wildcards


ANNOUNCED = Targets()


def suggestion(message: str, announced: Targets = ANNOUNCED) -> str:
    """The line that follows Snakemake's message about a missing target; "" after any other message."""
    missing = MISSING.search(message)
    known = set(announced.known()) if missing else set()
    if not missing or not known:
        return ""
    asked, scale = missing[1], announced.scale
    own = re.match(r"results/(draft|smoke)/", asked)
    if own and own[1] != scale:
        return f"{asked} belongs to another scale; write --config scale={own[1]} -- {asked}"
    for at_scale in (f"results/{scale}/{asked}", asked.replace("results/paper/", f"results/{scale}/", 1)):
        if at_scale in known:
            return f"With scale={scale} this file is {at_scale}"
    if asked.endswith("/report"):
        return "The page has all papers: snakemake report; docs/usage.md says how to make it of one"
    # Not thousands of files: what is similar, or else the short names.
    similar = nearest(asked, known)
    if similar.startswith("did you mean"):
        return f"{asked}: {similar}"
    names = sorted(name for name in known if "." not in name and name.count("/") < 2)  # without the claims, too
    return f"{asked} is not a target; targets are the files of the workflow and {', '.join(names)}"
