# What the rules share: where figures are, what a submitted job may take, the plan's answers for a job's wildcards. No rule.

PICTURE = f"{FIGURES}/{{paper}}/{{figure}}"


def one_of(names):
    """A pattern that matches only these names, so that a misspelt target is refused at once."""
    return "|".join(sorted(map(re.escape, set(names)))) or "(?!)"


def minutes(wildcards, attempt):
    """The time of a job on a cluster; whatever is not enough is doubled when the job is tried again."""
    return 30 * 2 ** (attempt - 1)


def megabytes(wildcards, attempt):
    """The memory of a job on a cluster."""
    return 1000 * 2 ** (attempt - 1)


def drawn(figures):
    """The files of figures, in every format that config.yaml asks for."""
    return expand(f"{FIGURES}/{{figure}}.{{format}}", figure=figures, format=config["formats"])


EVERYTHING = drawn(PLAN.figures) + PLAN.files()


def results_of(study):
    """The files of a study's target. Tables are among them: a deleted one returns even if its figure exists."""
    return drawn(f"{study}/{figure}" for figure in PLAN.tables_behind[study]) + PLAN.files(study)


def judged_in(wildcards):
    """What `dpbandits.verdicts.judging.table` is given for a target."""
    asked = PLAN.asked[wildcards.asked]
    return PLAN.to_judge(asked.study, asked.tests)


def audits_with(guest):
    """The tables of audits that a guest is in."""
    return [PLAN.file(f"audits/{id}") for id, study in PLAN.studies.items() if guest in study.guests]


def shown_in(study, figure):
    """How Snakemake's own report calls a figure."""
    if study in PLAN.arenas:
        return {"figure": figure, "reading": "both", "shows": PLAN.studies[study].title}
    drawn = PLAN.papers[study].figures[figure]
    return {"figure": figure, "reading": drawn.reading or "both", "shows": drawn.title or drawn.caption}


def templates():
    """The texts of the page's templates, as they are installed."""
    folder = Path(verification.__file__).parent / "report/templates"
    return [file.read_text() for file in sorted(folder.iterdir())]
