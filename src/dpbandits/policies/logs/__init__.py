"""Policies that choose articles for the visitors of a news log."""
