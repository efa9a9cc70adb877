"""Traces (.npz), tables (CSV) and strings: written atomically, checked when read.

A file with its final name is complete. The error for a damaged file names it and the remedy.
Traces are protected by CRC-32, and tables are rejected if a row is incomplete. `verify` compares
all numbers. `tables` reads tables: without pandas here, simulations do not rerun after its upgrade.
"""

import errno
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from dpbandits.errors import InputError

STALE_AFTER_SECONDS = 60  # a draft that has not grown for this long has no writer
# Runs of an experiment: the specification of their simulation, and the runs in each of its files.
Entry = tuple[Mapping[str, Any], Mapping[str | Path, tuple[int, int]]]


@contextmanager
def written_whole(path: str | Path) -> Iterator[BinaryIO]:
    """Write a file atomically: it gets its final name when it is complete.

    Parameters
    ----------
    path
        The final name. Missing folders are made.

    Yields
    ------
    BinaryIO
        A draft in the same folder, which is deleted on any error.

    Raises
    ------
    OSError
        If the file cannot be written. The error names `path`.

    Examples
    --------
    >>> with written_whole("results/notes.txt") as file:
    ...     file.write(b"complete")
    8
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(draft, "wb") as file:
            _delete_stale_drafts(path, now=os.fstat(file.fileno()).st_mtime)
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)
        raise


def _delete_stale_drafts(path: Path, now: float) -> None:
    """Delete drafts of killed processes, which nothing else deletes.

    `now` is the time by the clock that dates the drafts, which may be a file server's.
    """
    for draft in path.parent.glob(f".{path.name}.*.part"):
        with suppress(OSError):
            if now - draft.lstat().st_mtime > STALE_AFTER_SECONDS:
                draft.unlink()


@contextmanager
def reading(path: str | Path, what: str) -> Iterator[None]:
    """Turn any error of reading a file into an error that names the file and the remedy.

    Parameters
    ----------
    path
        The file that the body reads.
    what
        What the file should be, such as "trace".

    Raises
    ------
    InputError
        If the file is missing, cannot be read, or is damaged. Only for a damaged file does the
        message say that it can be deleted.

    Examples
    --------
    >>> with reading("results/traces/a.npz", "trace"):  # doctest: +ELLIPSIS
    ...     np.load("results/traces/a.npz")
    Traceback (most recent call last):
    dpbandits.errors.InputError: results/traces/a.npz: there is no such trace; run the workflow...
    """
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such {what}; run the workflow to make it") from None
    except MemoryError:
        raise InputError(f"{path}: not enough memory to read this {what}") from None
    except Exception as error:  # numpy, zipfile and zlib raise a dozen kinds for damaged bytes
        # EINVAL is damage, too: zipfile seeks to places that the file states.
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise InputError(f"{path}: cannot read this {what}: {error.strerror}") from None
        in_reference = Path(path).parts[0] == "reference"
        remedy = (
            f"git checkout '{path}'"
            if in_reference
            else f"delete it (rm '{path}') and run the same command again"
        )
        message = f"{path}: truncated, altered or not a {what} ({error}); {remedy}"
        raise InputError(message) from None


@dataclass(frozen=True)
class Trace:
    """The curves of some runs.

    Parameters
    ----------
    header
        The specification of the simulation, with `runs`, the first and the last run.
    t
        The checkpoints.
    values
        An array for each quantity, with the axes series, run and checkpoint.

    Examples
    --------
    >>> trace = Trace({"series": {"ucb": {}}}, np.array([10]), {"regret": np.zeros((1, 5, 1))})
    >>> [(series, curves["regret"].shape) for series, curves in trace.by_series()]
    [('ucb', (5, 1))]
    """

    header: dict[str, Any]
    t: np.ndarray
    values: dict[str, np.ndarray]

    def by_series(self) -> Iterator[tuple[str, dict[str, np.ndarray]]]:
        """Yield each series with its quantities, arrays of the axes run and checkpoint."""
        for i, series in enumerate(self.header["series"]):
            yield series, {quantity: values[i] for quantity, values in self.values.items()}


def write(path: str | Path, content: Any) -> None:
    """Write a trace, a table or a string. Equal content gives equal bytes.

    Parameters
    ----------
    path
        The file. Missing folders are made.
    content
        A Trace, a DataFrame or a string. Tables are written with ten significant digits, as many
        as `verify` compares: further digits differ between machines.

    Examples
    --------
    >>> import pandas as pd
    >>> write("table.csv", pd.DataFrame({"policy": ["ucb"], "mean": [1 / 3]}))
    >>> Path("table.csv").read_text()
    'policy,mean\\nucb,0.3333333333\\n'
    """
    with written_whole(path) as file:
        if isinstance(content, str):
            file.write(content.encode())
        elif isinstance(content, Trace):
            header = np.array(json.dumps(content.header, sort_keys=True, indent=1))
            np.savez(file, header=header, t=content.t, **content.values)
        else:
            # `float_format` would leave out floats in columns that have strings, too.
            frame = content.map(
                lambda cell: f"{cell:.10g}" if isinstance(cell, float) else cell, na_action="ignore"
            )
            frame.to_csv(file, index=False, lineterminator="\n")


def read_trace(path: str | Path) -> Trace:
    """Read a trace.

    Parameters
    ----------
    path
        A trace that `write` wrote.

    Returns
    -------
    Trace
        Its content.

    Raises
    ------
    InputError
        If the file is missing, cannot be read, or is damaged.

    Examples
    --------
    >>> write("0-9.npz", Trace({"runs": [0, 9]}, np.array([5]), {"regret": np.zeros((1, 10, 1))}))
    >>> read_trace("0-9.npz").header["runs"]
    [0, 9]
    """
    with reading(path, "trace"), np.load(path, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
        return Trace(json.loads(str(arrays.pop("header"))), arrays.pop("t"), arrays)


def read_chunks(
    chunks: Mapping[str | Path, tuple[int, int]],
    spec: Mapping[str, Any],
    series: Iterable[str] | None = None,
) -> Trace:
    """Read and join the chunks of a simulation.

    Parameters
    ----------
    chunks
        The traces, each with its first and its last run, in the order of the runs.
    spec
        The specification of the simulation.
    series
        The names of the series to keep, by default all.

    Returns
    -------
    Trace
        All runs in their order.

    Raises
    ------
    InputError
        If a file is missing, damaged, a trace of another simulation or of other runs, or if it has
        a number that is not finite.

    Examples
    --------
    >>> spec, curves = {"series": {"ucb": {}}, "seed": 1}, {"regret": np.zeros((1, 5, 1))}
    >>> write("0-4.npz", Trace(spec | {"runs": [0, 4]}, np.array([100]), curves))
    >>> write("5-9.npz", Trace(spec | {"runs": [5, 9]}, np.array([100]), curves))
    >>> read_chunks({"0-4.npz": (0, 4), "5-9.npz": (5, 9)}, spec).values["regret"].shape
    (1, 10, 1)
    """
    plain, traces = json.loads(json.dumps(spec)), []
    for path, runs in chunks.items():
        trace = read_trace(path)
        with reading(path, "trace of this simulation"):
            there = trace.header | {"checkpoints": trace.t.tolist()}
            for key, known in (plain | {"runs": list(runs)}).items():
                if there.get(key) != known:
                    raise ValueError(f"another {key}: {there.get(key)!r:.60}, not {known!r:.60}")
        traces.append(trace)
    trace = joined(traces, plain, series)
    for id, values in trace.by_series():
        _refuse_not_finite(values, id, chunks)
    return trace


def _refuse_not_finite(
    values: Mapping[str, np.ndarray], id: str, chunks: Mapping[str | Path, tuple[int, int]]
) -> None:
    """Raise InputError: a comparison with nan is false, so that nan would decide nothing."""
    for quantity, runs in values.items():
        if runs.dtype.kind == "f" and not np.isfinite(runs).all():
            run = int((~np.isfinite(runs)).any(axis=1).argmax())
            file = next(file for file, (_, last) in chunks.items() if run <= last)
            remedy = f"mend the policy or the bandit, delete it (rm '{file}') and run again"
            raise InputError(f"{file}: run {run} of {id}: its {quantity} is not finite; {remedy}")


def entries(
    simulations: Mapping[str, Iterable[tuple[Mapping[str, Any], Sequence[tuple[int, int]]]]],
    paths: Iterable[str | Path],
) -> dict[str, list[Entry]]:
    """Divide the files of traces among simulations.

    Parameters
    ----------
    simulations
        For each experiment the simulations: specifications, each with its chunks of runs.
    paths
        A trace for each chunk, in the same order.

    Returns
    -------
    dict
        For each experiment the specifications, each with its files and their runs.

    Examples
    --------
    >>> entries({"fig1": [({"seed": 1}, [(0, 4), (5, 9)])]}, ["0-4.npz", "5-9.npz"])
    {'fig1': [({'seed': 1}, {'0-4.npz': (0, 4), '5-9.npz': (5, 9)})]}
    """
    rest = iter(paths)
    return {
        experiment: [
            (spec, dict(zip(islice(rest, len(chunks)), chunks, strict=True)))
            for spec, chunks in each
        ]
        for experiment, each in simulations.items()
    }


def joined(
    chunks: Iterable[Trace], spec: Mapping[str, Any], series: Iterable[str] | None = None
) -> Trace:
    """Join the chunks of a simulation.

    Parameters
    ----------
    chunks
        Its traces, in the order of the runs.
    spec
        Its specification, which orders the series. The header of a file sorts them by name.
    series
        The names of the series to keep, by default all.

    Returns
    -------
    Trace
        All runs.

    Examples
    --------
    >>> spec, curves = {"series": {"ucb": {}}}, {"regret": np.zeros((1, 5, 1))}
    >>> joined([Trace({}, np.array([100]), curves)] * 2, spec).values["regret"].shape
    (1, 10, 1)
    """
    chunks, known = list(chunks), spec["series"]
    chosen = list(known if series is None else series)
    # A slice makes no copy.
    rows = slice(None) if chosen == list(known) else [list(known).index(one) for one in chosen]
    values = {
        name: np.concatenate([c.values[name][rows] for c in chunks], axis=1)
        for name in chunks[0].values
    }
    return Trace({**spec, "series": {one: known[one] for one in chosen}}, chunks[0].t, values)
