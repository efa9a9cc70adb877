"""What Snakemake's linter finds in the workflow (`make lint`), but for one finding.

It asks for a conda environment or a container for each rule. This workflow has one environment for all of it, Snakemake
included: requirements.lock, and environment.yml for conda.
"""

import subprocess
import sys

ONE_ENVIRONMENT = "Specify a conda environment or container for each rule."


def findings():
    """Lines such as "Lints for rule draw: No log directive defined"."""
    done = subprocess.run([sys.executable, "-m", "snakemake", "--lint"], capture_output=True, text=True, check=False)
    output = done.stdout + done.stderr
    if "Lints for" not in output and "no problems" not in output:
        yield f"snakemake --lint could not be run:\n{output}"
    place = ""
    for line in output.splitlines():
        if line.startswith("Lints for"):
            place = line.rstrip(":")
        elif line.startswith("    * ") and line.strip("* :") != ONE_ENVIRONMENT:
            yield f"{place}: {line.strip('* :')}"


if __name__ == "__main__":
    sys.exit("\n".join(findings()) or None)
