"""Privacy: accounts of promises and ledgers, and audits by games on neighbouring inputs."""
