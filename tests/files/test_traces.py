"""Traces and tables: same content, same bytes; damage and mix-ups are noticed and named."""

import json
import shutil

import numpy as np
import pytest

from dpbandits import simulation
from dpbandits.errors import InputError
from dpbandits.files import tables, traces
from dpbandits.statistics.summaries import summary_of

SPEC = {
    "paper": "tossou2016",
    "experiment": "fig2a",
    "stream": "fig2a",
    "policy": "dp-ucb",
    "environment": {"kind": "bernoulli", "means": [0.9, 0.6]},
    "horizon": 500,
    "checkpoints": [1, 10, 100, 500],
    "series": {"dp-ucb": {"algorithm": "dp_ucb", "parameters": {"epsilon": 1}}},
    "seed": 1,
}


def simulated(folder, blocks, spec=SPEC):
    paths = []
    for first, last in blocks:
        paths.append(folder / f"{first}-{last}.npz")
        traces.write(paths[-1], simulation.simulate(spec, first, last))
    return paths


def test_a_trace_survives_the_disk(tmp_path):
    (path,) = simulated(tmp_path, [(0, 3)])
    trace = traces.read(path)
    assert trace.t.tolist() == SPEC["checkpoints"]
    assert trace.values["regret"].shape == (1, 4, 4)
    assert trace.header["runs"] == [0, 3]
    assert trace.header["seed"] == 1
    assert trace.header["series"] == SPEC["series"]
    assert trace.header["version"]
    assert not list(tmp_path.glob(".*"))


def test_the_same_block_gives_the_same_bytes(tmp_path):
    (one,) = simulated(tmp_path / "a", [(0, 3)])
    (two,) = simulated(tmp_path / "b", [(0, 3)])
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("blocks", [[(0, 11)], [(0, 0), (1, 4), (5, 11)], [(6, 11), (0, 5)]])
def test_blocks_and_their_order_do_not_matter(blocks, tmp_path):
    whole = traces.read_blocks(simulated(tmp_path / "whole", [(0, 11)]), SPEC)
    parts = traces.read_blocks(simulated(tmp_path / "parts", blocks), SPEC)
    assert np.array_equal(whole.values["regret"], parts.values["regret"])
    tables.write(tmp_path / "whole.csv", summary_of([whole], 4))
    tables.write(tmp_path / "parts.csv", summary_of([parts], 4))
    assert (tmp_path / "whole.csv").read_bytes() == (tmp_path / "parts.csv").read_bytes()


def test_runs_are_independent_of_each_other_and_of_other_series():
    alone = simulation.simulate(SPEC, 5, 5).values["regret"][0, 0]
    among = simulation.simulate(SPEC, 0, 9).values["regret"][0]
    assert np.array_equal(alone, among[5])
    assert len(np.unique(among[:, -1])) > 5
    sweep = {**SPEC, "series": {"other": SPEC["series"]["dp-ucb"], **SPEC["series"]}}
    together = simulation.simulate(sweep, 5, 5).values["regret"]
    assert np.array_equal(together[1, 0], alone)
    assert not np.array_equal(together[0, 0], alone)


@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 0.97, 0.999])
def test_a_truncated_trace_is_refused_by_name(share, tmp_path):
    (path,) = simulated(tmp_path, [(0, 3)])
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(InputError, match=r"0-3.npz: truncated or not a trace.*delete it \(rm "):
        traces.read(path)


def test_every_flipped_bit_is_noticed_or_harmless(tmp_path):
    """300 flips spread over the file: a reader refuses, or the flip was in a byte that carries nothing."""
    (path,) = simulated(tmp_path, [(0, 3)])
    sound, content = traces.read(path), path.read_bytes()
    rng, refused = np.random.default_rng(31), 0
    for _ in range(300):
        place, bit = rng.integers(len(content)), rng.integers(8)
        damaged = bytearray(content)
        damaged[place] ^= 1 << bit
        path.write_bytes(bytes(damaged))
        try:
            found = traces.read(path)
        except InputError as error:
            refused += "0-3.npz" in str(error)
        else:
            assert found.header == sound.header
            assert np.array_equal(found.values["regret"], sound.values["regret"])
            assert np.array_equal(found.t, sound.t)
    assert refused > 200


def test_a_trace_of_another_simulation_is_refused(tmp_path):
    (path,) = simulated(tmp_path, [(0, 3)], {**SPEC, "seed": 2})
    with pytest.raises(InputError, match=r"another simulation \(seed is 2, not 1\); delete it"):
        traces.read_blocks([path], SPEC)
    other = {**SPEC, "checkpoints": [1, 10, 500]}
    (path,) = simulated(tmp_path / "other", [(0, 3)], other)
    with pytest.raises(InputError, match="the checkpoints of this trace are not those"):
        traces.read_blocks([path], SPEC)


def test_an_edited_header_is_refused(tmp_path):
    (path,) = simulated(tmp_path, [(0, 3)])
    with np.load(path) as archive:
        content = {name: archive[name] for name in archive.files}
    header = json.loads(str(content["header"]))
    header["seed"] = 7
    content["header"] = np.array(json.dumps(header))
    np.savez(path, **content)
    with pytest.raises(InputError, match="does not match its checksum"):
        traces.read(path)


def test_a_trace_with_pickled_objects_is_refused(tmp_path):
    path = tmp_path / "0-3.npz"
    np.savez(path, header=np.array([{"a": 1}], dtype=object), t=np.arange(3))
    with pytest.raises(InputError, match="truncated or not a trace"):
        traces.read(path)


def test_a_missing_trace(tmp_path):
    with pytest.raises(InputError, match="there is no such trace"):
        traces.read(tmp_path / "0-3.npz")


def test_an_interrupted_write_leaves_nothing_under_the_final_name(tmp_path):
    path = tmp_path / "file"
    path.write_text("finished before")

    def interrupted():
        with traces.written_whole(path) as file:
            file.write(b"half of")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "finished before"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_a_summary_has_the_columns_of_the_contract(tmp_path):
    trace = traces.read_blocks(simulated(tmp_path, [(0, 9)]), SPEC)
    tables.write(tmp_path / "fig2a.csv", summary_of([trace], 5))
    lines = (tmp_path / "fig2a.csv").read_text().splitlines()
    assert lines[0] == "policy,t,runs,mean,std,median_of_means,gmd_below,gmd_above,min,max"
    assert len(lines) == 5
    assert [line.split(",")[:3] for line in lines[1:]] == [["dp-ucb", t, "10"] for t in ("1", "10", "100", "500")]


def test_a_full_disk_is_reported_in_one_line(tmp_path):
    """/dev/full takes nothing: the message names the file that could not be written, and no half file stays."""
    if not shutil.os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    target = tmp_path / "results" / "trace.npz"
    target.parent.mkdir()
    draft = target.with_name(f".{target.name}.{shutil.os.getpid()}.part")
    draft.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as error:
        traces.write(target, simulation.simulate(SPEC, 0, 0))
    assert error.value.filename == str(target)
    assert list(target.parent.iterdir()) == []
