"""The message about a target that does not exist."""

import pytest

from snakemake_logger_plugin_dpbandits import targets

MESSAGE = (
    "MissingRuleException:\nNo rule to produce {} (if you use input functions make sure that they don't raise ...)."
)
FILES = ["figures/tossou2016/fig2a.pdf", "summaries/tossou2016/fig2a.csv", "claims/tossou2016.csv", "report.html"]
NAMES = ["all", "verify", "tossou2016", "tossou2016/claims"]


# Scale, what was asked for, and how the answer ends.
ANSWERS = [
    ("smoke", "figures/tossou2016/fig2a.pdf", "With scale=smoke this file is results/smoke/figures/tossou2016/fig2a.pdf"),
    ("smoke", "results/paper/claims/tossou2016.csv", "With scale=smoke this file is results/smoke/claims/tossou2016.csv"),
    ("paper", "results/smoke/report.html", "write --config scale=smoke -- results/smoke/report.html"),
    ("paper", "tossuo2016", "tossuo2016: did you mean 'tossou2016'?"),
    ("paper", "figures/tossou2016/fig2e.pdf", "did you mean 'figures/tossou2016/fig2a.pdf'?"),
    ("draft", "results/draft/summaries/tossou2016/fig2a.cvs", "did you mean 'results/draft/summaries/tossou2016/fig2a.csv'?"),
    ("paper", "tossou2016/report", "The page has all papers: snakemake report; docs/usage.md says how to make it of one"),
    ("paper", "zzz", "zzz is not a target; targets are the files of the workflow and all, tossou2016, tossou2016/claims, verify"),
]  # fmt: skip


@pytest.mark.parametrize(("scale", "asked", "message"), ANSWERS)
def test_a_target_that_does_not_exist_is_answered_with_one_that_does(scale, asked, message):
    folder = "" if scale == "paper" else f"results/{scale}/"
    files = [f"results/paper/{file}" if scale == "paper" and "figures" not in file else folder + file for file in FILES]
    announced = targets.Targets(scale, lambda: [*NAMES, *files])
    assert targets.suggestion(MESSAGE.format(asked), announced).endswith(message)


def test_another_message_is_not_commented():
    announced = targets.Targets(known=lambda: pytest.fail("the files are listed for nothing"))
    assert targets.suggestion("MissingInputException in rule draw", announced) == ""
