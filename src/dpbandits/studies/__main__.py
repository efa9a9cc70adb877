"""Print an experiment as expanded, in both readings, or all that a figure draws.

python -m dpbandits.studies show azize2022 fig5d
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

import yaml

from dpbandits import studies
from dpbandits.errors import InputError, check_known


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m dpbandits.studies", description=__doc__)
    parser.add_argument("command", choices=["show"])
    parser.add_argument("study", help="the name of its file in config/papers/ or config/")
    parser.add_argument("name", help="an experiment or a figure")
    parser.add_argument("--scale", choices=["paper", "smoke"], default="paper")
    options = parser.parse_args(arguments)
    try:
        print(shown(options.study, options.name, options.scale), end="")
    except InputError as error:
        sys.exit(f"error: {error}")


def shown(study: str, name: str, scale: str) -> str:
    """An experiment, or those of a figure, as YAML; comments say how often each policy plays."""
    files = {path.stem: path for path in studies.files("config")}
    check_known("show", "study", [study], files)
    loaded = studies.load(files[study], scale)
    known = [*loaded.experiments, *loaded.figures]
    check_known(f"show: {study}", "experiment or figure", [name], known)
    expanded, text = {}, ""
    for id in loaded.experiments_of([name]):
        experiment = loaded.experiments[id]
        runs = ", ".join(f"{one.runs} of {one.id}" for one in experiment.policies.values())
        text += f"# {name} shows {id}, with these runs: {runs}\n"
        expanded[id] = asdict(experiment)
        for policy in expanded[id]["policies"].values():
            for series in policy["series"]:
                if series.pop("calibrated_for") and "epsilon" in series["parameters"]:
                    played = experiment.series[series["name"]].as_policy
                    series["parameters"]["epsilon"] = played.epsilon
    plain = json.loads(json.dumps(expanded))
    return text + yaml.safe_dump(plain, sort_keys=False, allow_unicode=True)


if __name__ == "__main__":
    main()
