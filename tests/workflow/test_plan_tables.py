"""`python -m dpbandits.plan` prints what Snakemake would make."""

import csv
import io
import re

import pytest
from project import PAPERS, ROOT, SMOKE, Project

from dpbandits.plan.__main__ import main

RESULTS, FIGURES = "results/smoke/", "results/smoke/figures/"


def printed(capsys, *arguments):
    """The two tables, as lists of rows."""
    main(["--scale", "smoke", "--csv", *arguments])
    return [[*csv.DictReader(io.StringIO(text))] for text in capsys.readouterr().out.split("\n\n")]


def test_the_tables_agree_with_a_dry_run(monkeypatch, capsys, tmp_path):
    """Each simulation and each output is made; pictures for the page and the page are not rows."""
    made = {
        line.split("\t")[0]
        for line in Project.new(tmp_path, papers=PAPERS).run("--summary", *SMOKE).splitlines()
        if "\t" in line
    } - {"output_file"}
    monkeypatch.chdir(ROOT)
    simulations, outputs = printed(capsys)
    traces = {f"{RESULTS}traces/{row['trace']}.npz" for row in simulations}
    figures = {
        f"{FIGURES}{row['name']}.{kind}"
        for row in outputs
        if row["kind"] == "figure"
        for kind in ("pdf", "png")
    }
    tables = {f"{RESULTS}{row['name']}.csv" for row in outputs if row["kind"] != "figure"}
    of_page = f"{RESULTS}(pictures|page)/|{RESULTS}verification.txt"
    assert {file for file in made if not re.match(of_page, file)} == traces | figures | tables


def test_what_makes_a_figure_can_be_read_from_the_tables(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    simulations, outputs = printed(capsys, "azize2022")
    (figure,) = (row for row in outputs if row["name"] == "azize2022/fig5d")
    assert figure["draws"] == "summaries/azize2022/fig2"
    drawn = {row["policies"] for row in simulations if row["experiment"] == "fig2"}
    assert drawn
    assert {row["study"] for row in (*simulations, *outputs)} == {"azize2022"}


def test_the_tables_are_printed_for_people_too(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    main(["tossou2016"])
    text = capsys.readouterr().out
    assert re.search(r"^\d+ simulations of \S+ rounds$", text, re.MULTILINE)
    assert re.search(r"^ *tossou2016 +fig2a +dp-ucb-int .* dp-ucb-int$", text, re.MULTILINE)
    assert re.search(r"^ *tossou2016 +fig2a +together-1 .* ucb private-ucb$", text, re.MULTILINE)
    assert re.search(r"^ *tossou2016 +S2 +A1\b", text, re.MULTILINE)
    with pytest.raises(SystemExit, match="unknown study 'tossou216'; did you mean 'tossou2016'"):
        main(["tossou216"])
