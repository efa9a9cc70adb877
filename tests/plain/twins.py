"""The twin of every algorithm on arms, by name. Those for tables of gains are in tossou2017.py."""

from plain import azize2022, azize2025, baselines, hu2022, mishra2015, sarkar2025, tossou2016

from dpbandits.policies import POLICIES

TWIN_OF = {
    name: vars(module)[name]
    for module in (azize2022, azize2025, baselines, hu2022, mishra2015, sarkar2025, tossou2016)
    for name in POLICIES.known
    if name in vars(module)
}
