"""Studies: experimental sections of papers, and arenas, from YAML files to one scale.

- experiment, model, claim, settings: frozen classes, whose fields are the keys of files
- things: a thing from what a person typed, validated once, and the types of its keys
- reading: a study from its files, with the help of expansion, panels and arena
- guests: the addition of a user's own policies
- texts, strict_yaml: parameters in labels, and YAML
- drawn_points: points that authors drew
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from dpbandits.errors import InputError
from dpbandits.plugins import import_from
from dpbandits.studies.model import Study

if TYPE_CHECKING:
    from dpbandits.studies.guests import Guest


def load(path: str | Path, scale: str = "paper") -> Study:
    """The study of a file, validated, without guests.

    Policies and bandits of the user's own may be modules beside config.yaml.
    """
    from dpbandits.studies.reading import read

    path = Path(path)
    import_from(path.parents[1] if path.parent.name == "papers" else path.parent)
    return read(path, scale)


def files(folder: str | Path) -> list[Path]:
    """The files of the studies in a folder such as config/, papers first, without config.yaml.

    Raises InputError for a file that nothing would read.
    """
    papers, arenas = (sorted(Path(folder).glob(pattern)) for pattern in ("papers/*.yaml", "*.yaml"))
    for path in sorted(Path(folder).glob("**/*.yml")):
        raise InputError(f"{path}: files of studies end in .yaml; rename it")
    for path in sorted(Path(folder).glob("claims/*.yaml")):
        if not (paper := path.parent.parent / "papers" / path.name).exists():
            raise InputError(f"{path}: there is no {paper}; give both files the name of the paper")
    return [*papers, *(path for path in arenas if path.name != "config.yaml")]


def load_all(
    folder: str | Path, scale: str = "paper", guests: "Mapping[str, Guest] | None" = None
) -> dict[str, Study]:
    """Every study of a folder such as config/ and of its folder papers/, by its id."""
    from dpbandits.studies.guests import invited

    result: dict[str, Study] = {}
    for path in files(folder):
        if path.stem in result:
            raise InputError(
                f"{path}: {result[path.stem].file} has the same name; rename one of the two"
            )
        result[path.stem] = load(path, scale)
    if not result:
        remedy = "copy the project's folder config/ here"
        raise InputError(f"{folder}/papers: there is no study, such as hu2022.yaml; {remedy}")
    return invited(result, guests) if guests else result
