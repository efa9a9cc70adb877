"""The table of audits has one reader, which refuses a table that was altered."""

import pytest

from dpbandits.audit import audit_table as audits
from dpbandits.errors import InputError
from dpbandits.files import tables


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "audits.csv"
    tables.write(path, {"label": ["UCB", "TS", "UCB"], "audited": [0.5, 0.0, 1.25]})
    return path


def test_rows_by_a_key(table):
    assert audits.rows_by(lambda row: row["label"], table) == {
        "UCB": [{"label": "UCB", "audited": "0.5"}, {"label": "UCB", "audited": "1.25"}],
        "TS": [{"label": "TS", "audited": "0"}],
    }


def test_damage_is_refused_by_name_with_the_remedy(table):
    content = table.read_bytes()
    table.write_bytes(content.replace(b"0.5", b"0.6"))
    with pytest.raises(InputError, match=r"audits\.csv: altered since it was written.*rm '.*audits\.csv'"):
        audits.rows(table)
    table.write_bytes(b"\xff" + content)
    with pytest.raises(InputError, match=r"audits\.csv: not a table"):
        audits.rows(table)
    table.unlink()
    with pytest.raises(InputError, match=r"audits\.csv: there is no such table; run the workflow"):
        audits.rows(table)
