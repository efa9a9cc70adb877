"""Check whether the claims of a paper hold on our runs (docs/method.md).

A check is a statement that a number can contradict: a measure and a threshold. Measures are in
`general` or in the module of their paper, and `judging.judge` has the verdict. The verdicts of its
checks decide the answer to a claim, by `answers.answers_to`.
"""
