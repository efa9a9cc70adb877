"""How the loops are compiled.

numba keeps machine code on disk, but asks only whether the file of the compiled function itself has changed: edit a
helper in another file and the old helper would live on inside its callers. The place of the cache therefore depends
on the source of everything that is ever compiled here. It lies beside the sources, or in the temporary folder where
they cannot be written; the environment variable NUMBA_CACHE_DIR, if set, is obeyed as usual.
"""

import getpass
import hashlib
import os
import tempfile
from pathlib import Path

import numba

_PACKAGE = Path(__file__).parent
_COMPILED = ("algorithms", "environments", "privacy")


def _cache_folder() -> str:
    digest = hashlib.sha256()
    for path in sorted(p for folder in _COMPILED for p in (_PACKAGE / folder).rglob("*.py")):
        digest.update(path.read_bytes())
    name = f"numba-{digest.hexdigest()[:16]}"
    beside = _PACKAGE / "__pycache__" / name
    try:
        beside.mkdir(parents=True, exist_ok=True)
        if os.access(beside, os.W_OK):
            return str(beside)
    except OSError:
        pass
    elsewhere = Path(tempfile.gettempdir()) / f"dpbandits-{getpass.getuser()}" / name
    elsewhere.mkdir(parents=True, exist_ok=True, mode=0o700)
    return str(elsewhere)


if not os.environ.get("NUMBA_CACHE_DIR"):
    numba.config.CACHE_DIR = _cache_folder()

# No fastmath: a result must not depend on how a compiler chose to reorder a sum.
kernel = numba.njit(cache=True, nogil=True)
