"""What the API answers about accounts and coins."""

from ginapi.api.schemas_hand import Answer, a_boolean, a_choice, a_moment, a_text, an_integer, many
from ginapi.tables.coins import NOTE


class OpenedAccount(Answer):
    """An account's name and a new token."""

    name = a_text("", "ana")
    token = a_text("For `Authorization: Bearer`; shown this once.")


class Me(Answer):
    """Who the caller is."""

    kind = a_choice("guest", "account")
    name = a_text("Null for a guest.", "ana", allow_none=True)
    created_at = a_moment("Null for a guest.", allow_none=True)


class Wallet(Answer):
    """An account's coins."""

    balance = an_integer("Coins that can be staked, without what is held.", 1000)
    held = an_integer("Stakes and leaving fees at running tables.", 110)
    note = a_text("", NOTE)


class Entry(Answer):
    """A line of a statement."""

    id = a_text("What caused it, once.", "table:3f2a9c0d1e4b5a687790:stake:0")
    number = an_integer("Counts the account's entries from 1.", 2)
    at = a_moment("When.")
    coins = an_integer("Below zero where they went.", -100)
    balance = an_integer("What there was after it.", 900)
    reason = a_text("In words.", "Stake")
    table_id = a_text("Null where it was no table.", "3f2a9c0d1e4b5a687790", allow_none=True)


class Entries(Answer):
    """A page of a statement, newest first."""

    items = many(Entry)
    next = a_text("`cursor` for the page after this; null on the last.", allow_none=True)
    note = a_text("", NOTE)


class Stake(Answer):
    """A stake that is offered."""

    stake = an_integer("Coins that each seat puts up.", 100)
    leaving_fee = an_integer("Coins set aside beside it, and taken only from one who leaves.", 10)
    can_sit = a_boolean("Whether you have the coins; null without a token.", allow_none=True)


class Stakes(Answer):
    """The stakes, rising."""

    items = many(Stake)
    next = a_text("Null: they are all here.", allow_none=True)
    note = a_text("", NOTE)
