"""What every drawing needs before its first line, as a module that the server imports: matplotlib, its files and fonts."""

import matplotlib.backends.backend_pdf  # noqa: F401
import PIL.Image

import dpbandits.files.tables  # noqa: F401
from dpbandits.figures import style

PIL.Image.preinit()
style.use()
