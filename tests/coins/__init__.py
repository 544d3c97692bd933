"""Coins: the wallet, the tables where they are staked, and the ledger behind both."""
