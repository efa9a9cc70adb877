"""Contextual bandits: logs of news articles that were shown to visitors, with their clicks.

An algorithm of this family gets a `log`, whose `blocks()` are `Events` in order and whose `articles` are the articles'
vectors, and a `journal` whose `diary` counts the kept events, the clicks on them, and the clicks of random choices (see
`_events`).
"""
