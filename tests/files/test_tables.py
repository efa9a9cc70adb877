"""Tables are read and written without pandas: the same numbers to the last bit, the same bytes."""

import hashlib

import numpy as np
import pandas as pd
import pytest
from project import ROOT

from dpbandits.errors import InputError
from dpbandits.files import tables
from dpbandits.statistics.summaries import SUMMARY, read_summary

SUMMARIES = sorted((ROOT / "reference/smoke/summaries").glob("*/*.csv"))


@pytest.fixture
def table():
    return tables.Table(
        {
            "policy": np.array(["a", "a", "b", "b"]),
            **{name: np.array([1.5, 2.25, 3.0, 4.0]) * k for k, name in enumerate(SUMMARY[3:], 1)},
            "t": np.array([1, 10, 1, 10]),
            "runs": np.full(4, 9),
        }
    )


@pytest.fixture
def written(table, tmp_path):
    path = tmp_path / "fig1a.csv"
    tables.write(path, {name: table[name] for name in SUMMARY})
    return path


def test_a_summary_is_read_as_pandas_reads_it(tmp_path):
    assert SUMMARIES
    for reference in SUMMARIES:
        copy = tmp_path / reference.name
        frame = pd.read_csv(reference, dtype={"policy": str})
        tables.write(copy, frame)
        assert copy.read_bytes() == reference.read_bytes()
        ours = read_summary(copy)
        assert list(ours) == list(frame.columns)
        for name, column in ours.items():
            if name == "policy":
                assert column.tolist() == frame[name].tolist()
            else:
                np.testing.assert_array_equal(column, frame[name].to_numpy(column.dtype))


def test_a_table_is_written_as_pandas_writes_it(tmp_path):
    frame = pd.DataFrame(
        {
            "text": ["plain", 'with "quotes", and a comma', None, "two\nlines"],
            "number": [1 / 3, float("nan"), -0.0, 1e-300],
            "large": [1e17, float("inf"), 123456789012345.0, 2.0],
            "count": [1, 2, 3, 4],
            "true": [True, False, True, False],
        }
    )
    tables.write(tmp_path / "table.csv", frame)
    expected = frame.to_csv(index=False, float_format="%.12g", lineterminator="\n")
    assert (tmp_path / "table.csv").read_text() == expected


def test_rows_of_a_policy_and_its_last_one(table, written):
    read = read_summary(written)
    assert read.of("b")["t"].tolist() == [1, 10]
    assert read.of("b").last()["mean"].tolist() == [4.0]
    assert read.rows(read["t"] > 1)["mean"].tolist() == [2.25, 4.0]
    joined = tables.Table.joined([read.of("b"), read.of("a")])
    assert joined["policy"].tolist() == ["b", "b", "a", "a"]
    assert joined["max"].tolist() == [7 * 3.0, 7 * 4.0, 7 * 1.5, 7 * 2.25]


def test_a_column_that_one_table_lacks_is_empty_there(table):
    more = tables.Table({**table.of("b"), "nash_regret": np.array([0.5, 0.25])})
    joined = tables.Table.joined([table.of("a"), more])
    np.testing.assert_array_equal(joined["nash_regret"], [np.nan, np.nan, 0.5, 0.25])


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda text: text.rsplit(",", 1)[0] + "\n",  # a cell is missing
        lambda text: text.replace("2.25", "nan", 1),
        lambda text: text.replace("2.25", "1_0", 1),
        lambda text: text.rstrip("\n"),
        lambda text: text.splitlines()[0] + "\n",  # no rows
    ],
)
def test_what_is_not_whole_rows_of_numbers_is_refused_even_with_a_fitting_checksum(spoilt, written):
    written.write_text(spoilt(written.read_text()))
    digest = hashlib.sha256(written.read_bytes()).hexdigest()
    tables.checksum_of(written).write_text(f"{digest}  {written.name}\n")
    with pytest.raises(InputError, match="truncated or altered: not all of its rows are complete and numeric"):
        read_summary(written)


def test_rows_are_texts_and_the_numbers_that_are_asked_for(tmp_path):
    path = tmp_path / "claims.csv"
    tables.write(path, {"claim": ["A1", "A2"], "cause": ["one,\ntwo", None], "value": [0.5, float("nan")]})
    assert tables.rows(path) == [
        {"claim": "A1", "cause": "one,\ntwo", "value": "0.5"},
        {"claim": "A2", "cause": "", "value": ""},
    ]
    assert [row["value"] for row in tables.rows(path, numbers=["value"])] == [0.5, None]
    with pytest.raises(InputError, match=r"claims\.csv: .*not all of its rows are complete and numeric \('A1'\)"):
        tables.rows(path, numbers=["claim"])
    with pytest.raises(InputError, match=r"claims\.csv: it has no column 'verdict'"):
        tables.rows(path, ["verdict"])


def test_damage_is_refused_by_name_with_the_remedy(written):
    content = written.read_bytes()
    for reader in (tables.rows, read_summary):
        for damaged in (content.replace(b"2.25", b"2.26"), content[:-9], content.replace(b"2.25", b"x1")):
            written.write_bytes(damaged)
            with pytest.raises(InputError, match=r"fig1a\.csv: altered since it was written.*rm '.*fig1a\.csv'"):
                reader(written)
        for shorter in (b"", content[:30]):
            written.write_bytes(shorter)
            with pytest.raises(InputError, match=r"fig1a\.csv: .*delete it \(rm "):
                reader(written)
        written.write_bytes(b"\xff" + content)
        with pytest.raises(InputError, match=r"fig1a\.csv: not a table"):
            reader(written)
        written.unlink()
        with pytest.raises(InputError, match=r"fig1a\.csv: there is no such table; run the workflow"):
            reader(written)
    with pytest.raises(InputError, match=r"fig1a\.csv: there is no such table; .*make reference"):
        tables.rows(written, checksum=False)
