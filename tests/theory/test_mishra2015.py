"""mishra2015: the theorems' numbers."""

import numpy as np
import pytest
from playing import FIVE

from dpbandits.theory.mishra2015 import mishra2015_theorem_4


@pytest.mark.parametrize(("epsilon", "bound"), [(1.0, 1.149e6), (10.0, 1.149e5)])
def test_theorem_4(epsilon, bound):
    assert mishra2015_theorem_4(0.9 - np.array(FIVE), 10**5, epsilon) == pytest.approx(bound, rel=1e-3)
