"""What every drawing imports, and matplotlib's files and fonts."""

from contextlib import suppress

with suppress(Exception):  # a job says what is wrong
    import matplotlib.backends.backend_pdf  # noqa: F401
    import PIL.Image

    import dpbandits.files.tables  # noqa: F401
    from dpbandits.figures import style

    PIL.Image.preinit()
    style.use()
