"""The rows of a table of audits, by a key of each row."""

from dpbandits.audit import audit_table
from dpbandits.files import tables


def test_rows_by_a_key(tmp_path):
    tables.write(tmp_path / "audits.csv", {"label": ["UCB", "TS", "UCB"], "audited": [0.5, 0.0, 1.25]})
    assert audit_table.rows_by(lambda row: row["label"], tmp_path / "audits.csv") == {
        "UCB": [{"label": "UCB", "audited": "0.5"}, {"label": "UCB", "audited": "1.25"}],
        "TS": [{"label": "TS", "audited": "0"}],
    }
