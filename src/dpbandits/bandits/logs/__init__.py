"""Contextual bandits: logs of news articles that were shown to visitors, with their clicks.

A policy of this family gets a `log` and a `journal`, which counts the kept events, the clicks on
them, and the clicks of random choices (see `dpbandits.bandits.events`).
"""
