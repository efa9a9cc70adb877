"""Traces (.npz), tables (CSV) and texts: written whole, read with a check.

A file with its final name is complete. Damage is refused with the name of the file and the remedy.
CRC-32 protects traces, and a table with an incomplete row is refused. `verify` compares all numbers.
Tables are read in `tables`: without pandas here, a new version of it runs no simulation again.
"""

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from dpbandits.errors import InputError

# Runs of an experiment: the specification of their simulation, and its files.
Entry = tuple[Mapping[str, Any], Sequence[str | Path]]


@contextmanager
def written_whole(path: str | Path):
    """Open a file for atomic writing: it gets its final name when it is complete, and is deleted on any error."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    for stale in path.parent.glob(
        f".{path.name}.*.part"
    ):  # of a process that was killed, not of one still writing
        with suppress(OSError):
            if time.time() - stale.lstat().st_mtime > 60:
                stale.unlink()
    try:
        with open(draft, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def reading(path: str | Path, what: str):
    """Read a file: the error for one that is missing or damaged names it and the remedy."""
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such {what}; run the workflow to make it") from None
    except Exception as error:  # numpy, zipfile and zlib raise a dozen kinds for damaged bytes
        in_reference = Path(path).parts[0] == "reference"
        remedy = (
            f"git checkout '{path}'"
            if in_reference
            else f"delete it (rm '{path}') and run the same command again"
        )
        raise InputError(
            f"{path}: truncated, altered or not a {what} ({error}); {remedy}"
        ) from None


@dataclass(frozen=True)
class Trace:
    """The curves of some runs: `values[quantity]` has the axes series, run, checkpoint t."""

    header: dict[str, Any]
    t: np.ndarray
    values: dict[str, np.ndarray]

    def by_series(self) -> Iterator[tuple[str, dict[str, np.ndarray]]]:
        """Every series, with its quantities (run, checkpoint)."""
        for i, series in enumerate(self.header["series"]):
            yield series, {quantity: values[i] for quantity, values in self.values.items()}


def write(path: str | Path, content: Any) -> None:
    """Write a trace, a table (a DataFrame) or a text; equal ones give equal bytes.

    Tables have ten significant digits, as many as `verify` compares; those of rounding differ between machines."""
    with written_whole(path) as file:
        if isinstance(content, str):
            file.write(content.encode())
        elif isinstance(content, Trace):
            header = np.array(json.dumps(content.header, sort_keys=True, indent=1))
            np.savez(file, header=header, t=content.t, **content.values)
        else:
            frame = content.copy()
            for name in frame.columns[
                frame.dtypes == "object"
            ]:  # pandas formats floats only in columns of floats
                frame[name] = [
                    f"{c:.10g}" if isinstance(c, float) and c == c else c for c in frame[name]
                ]
            frame.to_csv(file, index=False, float_format="%.10g", lineterminator="\n")


def read_trace(path: str | Path) -> Trace:
    """Read a trace."""
    with reading(path, "trace"), np.load(path, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
        return Trace(json.loads(str(arrays.pop("header"))), arrays.pop("t"), arrays)


def read_chunks(
    paths: Iterable[str | Path], spec: Mapping[str, Any], series: Iterable[str] | None = None
) -> Trace:
    """Join the chunks of a simulation, with the given series or all of them. Each chunk must be of this simulation."""
    wanted = json.loads(json.dumps(spec))
    traces = {path: read_trace(path) for path in paths}
    for path, trace in traces.items():
        with reading(path, "trace of this simulation"):
            there = trace.header | {"checkpoints": trace.t.tolist()}
            if differing := [key for key in wanted if there.get(key) != wanted[key]]:
                raise ValueError(f"another {differing[0]}")
    return joined(traces.values(), wanted, series)


def entries(
    simulations: Mapping[str, Iterable[tuple[Mapping[str, Any], Sequence[tuple[int, int]]]]],
    paths: Iterable[str | Path],
) -> dict[str, list[Entry]]:
    """Divide `paths` among simulations, which have a trace for each of their chunks, in order."""
    rest = iter(paths)
    return {
        experiment: [(spec, list(islice(rest, len(chunks)))) for spec, chunks in each]
        for experiment, each in simulations.items()
    }


def joined(
    chunks: Iterable[Trace], spec: Mapping[str, Any], series: Iterable[str] | None = None
) -> Trace:
    """All runs of a simulation in their order, with the given series or all of them; a file's header has them in another order."""
    chunks, known = sorted(chunks, key=lambda trace: trace.header["runs"][0]), spec["series"]
    chosen = list(known if series is None else series)
    rows = (
        [list(known).index(one) for one in chosen] if chosen != list(known) else slice(None)
    )  # without a copy
    values = {
        name: np.concatenate([c.values[name][rows] for c in chunks], axis=1)
        for name in chunks[0].values
    }
    return Trace({**spec, "series": {one: known[one] for one in chosen}}, chunks[0].t, values)
