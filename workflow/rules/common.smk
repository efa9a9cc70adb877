# What the rules share. No rule.

RESULTS, LOG = PLAN.results, f"{PLAN.results}/logs"
EVERYTHING = PLAN.results_of()
SUBMITTED = PLAN.submitted
CALLS = PLAN.traces | PLAN.tables | PLAN.asked  # by the wildcard `made`
AUDITED = {name for name in PLAN.tables if name.startswith("audits/") and name.count("/") > 1}


def one_of(names):
    """A pattern that matches only these names, so that a misspelt target is refused at once."""
    return "|".join(sorted(map(re.escape, names))) or "(?!)"
