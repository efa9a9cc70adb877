"""Policies that play games against an adversary; `exp3.py` is the shortest example."""
