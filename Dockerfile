# All that the workflow needs, installed from requirements.lock. Nothing is downloaded after the build:
#
#   podman build -t dpbandits .
#   podman run --rm --network none -v "$PWD/results:/dpbandits/results" -v "$PWD/figures:/dpbandits/figures" dpbandits
#
# Arguments after the image's name are Snakemake's: ... dpbandits --cores 2 --config scale=smoke -- tossou2016
FROM docker.io/library/python:3.11-slim

RUN apt-get update \
 && apt-get install --yes --no-install-recommends git make \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /dpbandits
COPY . .
RUN make .venv/.installed

ENV PATH=/dpbandits/.venv/bin:$PATH
ENTRYPOINT ["snakemake"]
CMD ["--cores", "all"]
