"""Write dp_accounting.csv: what compositions of releases cost by Google's accountant.

    python -m venv other && other/bin/pip install dp-accounting==0.6.0
    other/bin/python tests/privacy/make_dp_accounting.py

That package requires versions of others that this project does not have, so its numbers are kept.
"""

from pathlib import Path

TABLE = Path(__file__).with_name("dp_accounting.csv")
LAPLACE, DISCRETE, GAUSSIAN = "Laplace", "discrete Laplace", "Gaussian"
DELTAS = 1e-3, 1e-6, 1e-10

# Releases (sensitivity, scale, distribution, times) of one item.
COMPOSITIONS = {
    "4 x Laplace": [(0.5, 1.0, LAPLACE, 4)],
    "100 x Laplace": [(0.1, 1.0, LAPLACE, 100)],
    "2000 x Laplace": [(0.03, 1.0, LAPLACE, 2000)],
    "20 x discrete Laplace": [(3.0, 8.0, DISCRETE, 20)],
    "300 x Gaussian": [(1.0, 40.0, GAUSSIAN, 300)],
    "discrete and not": [(0.5, 1.0, LAPLACE, 2), (3.0, 8.0, DISCRETE, 5)],
    "all three": [
        (0.1, 1.0, LAPLACE, 10),
        (3.0, 8.0, DISCRETE, 2),
        (1.0, 40.0, GAUSSIAN, 100),
    ],
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

    rows = ["composition,delta,epsilon"]
    for name, releases in COMPOSITIONS.items():
        first, *others = (alone(*release).self_compose(times) for *release, times in releases)
        for other in others:
            first = first.compose(other)
        for delta in DELTAS:
            rows.append(f"{name},{delta:g},{first.get_epsilon_for_delta(delta):.6g}")
    TABLE.write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
