# An image for Docker and Podman, which both read this name. Nobody has built it yet.
#
#   docker build --tag dpbandits .
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/dpbandits" dpbandits
FROM docker.io/library/python:3.11-slim

# The environment is outside /dpbandits, so that a clone can be mounted there without hiding it.
ENV PATH=/opt/dpbandits/bin:$PATH
COPY requirements.lock /tmp/
RUN python -m venv /opt/dpbandits \
 && pip install --quiet --no-cache-dir --require-hashes --requirement /tmp/requirements.lock

WORKDIR /dpbandits
COPY . .
RUN pip install --quiet --no-cache-dir --no-deps --no-build-isolation --editable . \
 && mkdir -p results figures .snakemake

# Snakemake asks for a user's name and home, which `docker run --user` does not provide.
ENV HOME=/tmp USER=dpbandits
CMD ["snakemake", "--cores", "all"]
