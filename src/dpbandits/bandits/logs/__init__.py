"""Contextual bandits: logs of news articles, and of the visitors' clicks.

A policy of this family plays a `LogRun`, which says what an author needs
(`dpbandits.bandits.events`).
"""
