"""Three policies on three arms: their regret, and what two of them promise about privacy."""

from dpbandits import bernoulli, compare
from dpbandits.policies.arms.ucb import play

result = compare(
    bernoulli(means=[0.8, 0.7, 0.5], shuffled=True),
    T=100_000,
    runs=50,
    seed=1,
    policies={"DP-SE": ("dp_se", {"epsilon": 0.5}), "UCB": "ucb", "mine": play},
)
last = result.table[result.table["t"] == 100_000]
print(last[["policy", "mean", "standard_error", "epsilon", "spent"]].to_string(index=False))
print(result.privacy()[["policy", "epsilon", "spent", "verdict"]].to_string(index=False))
result.plot("compare.pdf")
result.table.to_csv("compare.csv", index=False)
