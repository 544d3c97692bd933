"""Gin rummy and nothing else: cards, melds, hands and what they are worth.

Everything here is pure: no I/O, no clock, no chance. Values are frozen; functions give new ones.
"""
