"""Claims judged on traces that are not in files."""

from dpbandits import claims


def judged(sentences, experiments, traces, seed=1, **further):
    """The claims table; `traces`: experiment id -> its traces."""
    entries = {
        name: [(trace.header, [f"{name} {i}"], list(trace.header["series"])) for i, trace in enumerate(listed)]
        for name, listed in traces.items()
    }

    def read(files, _):
        name, i = files[0].rsplit(" ", 1)
        return traces[name][int(i)]

    figures = {experiment.id: [experiment.base] for experiment in experiments}
    return claims.table(sentences, experiments, entries, seed, figures, read=read, **further)
