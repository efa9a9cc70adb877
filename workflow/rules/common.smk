# What the rules share: where figures are, what a submitted job may take, the plan's answers for a job's wildcards. No rule.

PICTURE = f"{FIGURES}/{{paper}}/{{figure}}"
ALL_FIGURES = [f"{study}/{figure}" for study in PLAN.studies for figure in PLAN.figures_of(study)]


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


def results_of(study):
    """The files of a study's target. Tables are among them: a deleted one returns even if its figure exists."""
    return drawn(f"{study}/{figure}" for figure in PLAN.figures_of(study)) + PLAN.files(study)


def audits_with(guest):
    """The tables of audits that a guest is in."""
    return [PLAN.file(f"audits/{id}") for id, study in PLAN.studies.items() if guest in study.guests]


def shown_in(figure):
    """How Snakemake's own report calls a figure."""
    return {"figure": figure.id, "reading": figure.reading or "both", "shows": figure.title or figure.caption}


def figure_of(wildcards):
    return PLAN.papers[wildcards.paper].figures[wildcards.figure]
