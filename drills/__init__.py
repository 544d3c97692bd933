"""Faults, on purpose: each drill is a program that anybody can run, bounded in time, and says what it found."""
