"""Write dp_accounting.csv: what compositions of releases cost by Google's accountant.

    python -m venv other && other/bin/pip install dp-accounting==0.6.0
    other/bin/python tests/privacy/make_dp_accounting.py

That package requires versions of others that this project does not have, so its numbers are kept.
"""

import csv
from pathlib import Path

TABLE = Path(__file__).with_name("dp_accounting.csv")
LAPLACE, DISCRETE, GAUSSIAN = "Laplace", "discrete Laplace", "Gaussian"
DELTAS = 1e-3, 1e-6, 1e-10
FEW, MANY, TINY = (0.5, 1.0, LAPLACE), (0.1, 1.0, LAPLACE), (0.03, 1.0, LAPLACE)
WHOLE, NORMAL = (3.0, 8.0, DISCRETE), (1.0, 40.0, GAUSSIAN)

# Releases (sensitivity, scale, distribution, times) of one item.
COMPOSITIONS = {
    **{
        f"1 x {size / scale:g} {law}": [(size, scale, law, 1)]
        for size, scale, law in (FEW, MANY, TINY, WHOLE, NORMAL)
    },
    "4 x Laplace": [(*FEW, 4)],
    "100 x Laplace": [(*MANY, 100)],
    "2000 x Laplace": [(*TINY, 2000)],
    "20 x discrete Laplace": [(*WHOLE, 20)],
    "300 x Gaussian": [(*NORMAL, 300)],
    "three Laplace": [(*FEW, 2), (0.25, 1.0, LAPLACE, 8), (0.0625, 1.0, LAPLACE, 64)],
    "discrete and not": [(*FEW, 2), (*WHOLE, 5)],
    "all three": [(*MANY, 10), (*WHOLE, 2), (*NORMAL, 100)],
}


def main():
    """Compose the privacy loss distributions on a grid of 2e-5, whose errors are upward."""
    from dp_accounting.pld import privacy_loss_distribution as losses

    grid = {"value_discretization_interval": 2e-5}

    def alone(sensitivity, scale, law):
        if law == LAPLACE:
            return losses.from_laplace_mechanism(scale, sensitivity, **grid)
        if law == DISCRETE:
            return losses.from_discrete_laplace_mechanism(1 / scale, int(sensitivity), **grid)
        return losses.from_gaussian_mechanism(scale, sensitivity, **grid)

    with TABLE.open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["composition", "delta", "epsilon", "version"])
        for name, releases in COMPOSITIONS.items():
            first, *others = (alone(*release).self_compose(times) for *release, times in releases)
            for other in others:
                first = first.compose(other)
            for delta in DELTAS:
                rows.writerow(
                    [
                        name,
                        f"{delta:g}",
                        f"{first.get_epsilon_for_delta(delta):.6g}",
                        "dp-accounting 0.6.0",
                    ]
                )


if __name__ == "__main__":
    main()
