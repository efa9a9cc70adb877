# Paths, wildcards, parameters and input functions of the rules, and the files of a whole run.

import re
from functools import cache, partial
from pathlib import Path


# results/<scale>/, with its own figures/. At the paper's scale figures are in figures/ beside
# results/. Of another seed, everything is below results/seed-<seed>/<scale>/.
pathvars:
    results=PLAN.layout.results,
    figures=PLAN.layout.figures,
    logs=f"{PLAN.layout.results}/logs",


# The plan: `python -m dpbandits.plan` prints these tables.
SIMULATIONS, OUTPUTS = PLAN.simulations, PLAN.outputs
TRACES = SIMULATIONS.groupby(["study", "experiment"])["trace"].agg(list).to_dict()
DRAWN = OUTPUTS[OUTPUTS["kind"] == "figure"].set_index("name")


def one_of(names):
    """Return a pattern of exactly these names, so that a misspelt target is refused at once.

    A name that another study has is refused later, by the plan.
    """
    return "|".join(sorted(map(re.escape, names))) or "(?!)"


wildcard_constraints:
    study=one_of(PLAN.studies),
    paper=one_of(PLAN.papers),
    arena=one_of(PLAN.arenas),
    experiment=one_of({*SIMULATIONS["experiment"]}),
    policies=one_of({*SIMULATIONS["policies"]}),
    first=r"\d+",
    last=r"\d+",
    policy=one_of(PLAN.settings.guests),
    figure=one_of({name.split("/")[1] for name in DRAWN.index}),


@cache
def path_of(script):
    return workflow.source_path(f"../scripts/{script}")


def job(code, arguments=lambda plan: {}):
    """Return the parameter of a rule: a digest, which has the arguments that are not files.

    Snakemake compares the digest of these arguments, of the code and of the versions of libraries
    (CONTRIBUTING.md, "what runs again"). `code` is a script, or the function that call.py calls.
    The modules that it imports count, too, directly or not, and those of the policies and bandits
    among the arguments, but none of the others.
    """
    script, function = (code, "") if code.endswith(".py") else ("call.py", code)
    path = path_of(script)
    return lambda wildcards: fingerprints.job(
        path, arguments(PLAN, **wildcards), function.format(**wildcards)
    )


# ---- input functions
#
# Files of the repository are marked `local()` in the rules, so that neither a prefix nor a storage
# provider changes them.


def traces(names):
    return collect("<results>/traces/{name}.npz", name=names)


def tables(names):
    return collect("<results>/{name}.csv", name=names)


def simulations(query):
    return traces(lookup(query=query, within=SIMULATIONS, cols="trace"))


def outputs(query):
    return tables(lookup(query=query, within=OUTPUTS, cols="name"))


def of_figure(column):
    return lambda wildcards: list(DRAWN[column].get("{paper}/{figure}".format(**wildcards), ()))


def of_experiment(wildcards):  # a lookup for each experiment would take a fifth of a second
    return TRACES.get((wildcards.paper, wildcards.experiment), [])


def measured_by(wildcards, paper, ids):
    return PLAN.measured(paper, ids)["trace"]


def judges_promises(wildcards, paper="", ids=None):
    """Whether one of these checks judges a promise, so that audits decide.

    A user's paper may have none.
    """
    checks = PLAN.checks[paper or wildcards.paper]
    return any(each.kind == PRIVACY for each in checks if ids is None or each.id in ids)


def plays_log(wildcards):
    return PLAN.reads_log(wildcards.study, wildcards.experiment)


def is_guest(wildcards):
    return wildcards.policies in PLAN.settings.guests


# ---- the files of a run


def figures(names):
    return expand("<figures>/{name}.{format}", name=names, format=config["formats"])


def drawn_data(names):
    """The digests of the data that figures show."""
    return expand("<results>/pictures/{name}.digest", name=names)


# The tables and digests of the reference, as far as they exist. FIGURES and TABLES are all files of
# the plan's second table, summaries among them, but for the shares of audits, which are joined.
folder = Path(PLAN.layout.reference)
digests = filter(Path.exists, (folder / verification.SUMS, folder / verification.DRAWN))
REFERENCE = list(map(str, [*verification.tables_of(folder).values(), *digests]))
NAMES_OF_FIGURES = PLAN.figures()
FIGURES, TABLES = figures(NAMES_OF_FIGURES), tables(PLAN.tables())


def results_with(guest):
    """The figures and tables that show a guest, among them its replays."""
    shown = OUTPUTS[[guest in guests for guests in OUTPUTS["guests"]]]
    drawn = shown["kind"] == "figure"
    return figures(shown.loc[drawn, "name"]) + tables(shown.loc[~drawn, "name"])


def single_answers():
    """Target -> the paper, and the ids of the claim and of the checks that it answers."""
    return {
        f"{kind}/{paper}/{id}": (paper, *ids)
        for paper, study in PLAN.papers.items()
        for kind, each in (
            ("checks", {id: ([], [id]) for id in study.checks}),
            ("claims", {id: ([id], claim.all_checks) for id, claim in study.claims.items()}),
        )
        for id, ids in each.items()
    }


def targets_by_name():
    """Return the targets that follow from the configuration, each with its files."""
    return {
        **{
            study: figures(PLAN.figures(study)) + tables(PLAN.tables(study))
            for study in PLAN.studies
        },
        **{name: figures([name]) for name in NAMES_OF_FIGURES},
        **{f"{paper}/checks": f"<results>/checks/{paper}.csv" for paper in PLAN.papers},
        **{f"guest/{guest}": results_with(guest) for guest in PLAN.settings.guests},
    }


def known_targets():
    """Return the names with which a misspelt target is compared."""
    named = [rule.name for rule in workflow.rules if not rule.wildcard_names]
    return [*named, *map(workflow.pathvars.apply, [*FIGURES, *TABLES])]
