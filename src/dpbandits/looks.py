"""The names of colours and markers. figures/data/looks.csv has those of each policy.

They are apart so that the validation of a file or of `compare` needs no plotting library, and so
that another colour draws figures again and repeats nothing else.
"""

from typing import Any

from dpbandits.errors import InputError, check_known

COLOURS = "blue", "orange", "green", "red", "pink", "brown", "sky", "olive", "violet", "black"
MARKERS = "o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "d", "p", "h", "8"


def valid(look: Any) -> tuple[str, str]:
    """Return a look that a user wrote, as a colour and a marker.

    Parameters
    ----------
    look
        The value that a user wrote.

    Returns
    -------
    (str, str)
        The names of the colour and of the marker.

    Raises
    ------
    InputError
        If it is not a pair, or if the colour or the marker does not exist.

    Examples
    --------
    >>> valid(["sky", 8])
    ('sky', '8')
    """
    if not isinstance(look, list | tuple) or len(look) != 2:
        raise InputError(f"{look!r} should be a colour and a marker, such as [sky, h]")
    colour, marker = map(str, look)
    check_known("", "colour", [colour], COLOURS)
    check_known("", "marker", [marker], MARKERS)
    return colour, marker
