"""Logs of news articles that were shown to visitors, and clicked or not: contextual bandits.

An algorithm of this family is given a `log`, whose `blocks()` are `Events` in order and whose `articles` are the articles'
vectors, and a `journal` whose `diary` counts the events that were kept, the clicks on them, and what chance would have got
(see `_events`).
"""
