"""What the API answers about players: their ratings and records."""

from marshmallow import fields

from ginapi.api.schemas_hand import Answer, a_boolean, a_moment, a_text, an_integer, described, many, one


class Rating(Answer):
    """How strong a player is (Glicko-2): within two deviations of the rating, with 95 % confidence."""

    rating = an_integer("1500 for one who has not been rated.", 1662)
    deviation = an_integer("Falls with each rated match, and grows with the time since the last; at most 350.", 290)
    volatility = fields.Float(**described("How much the results go up and down.", 0.06))
    rated_count = an_integer("How many matches have moved the rating.", 1)
    provisional = a_boolean("Whether it is not sure yet: whether the deviation is above 110.")


class PlayerRecord(Answer):
    """Matches between people that were played to their end, or left."""

    played = an_integer("Also with guests, and at private tables.", 3)
    won = an_integer("", 2)
    lost = an_integer("", 1)
    left = an_integer("How many of the lost ones by leaving.", 0)


class Player(Answer):
    """An account in public."""

    name = a_text("As it was chosen.", "ana")
    since = a_moment("When the account was opened.")
    rating = one(Rating)
    record = one(PlayerRecord)


class RankedPlayer(Player):
    """A line of the leaderboard."""

    place = an_integer("Counts from 1, the best.", 1)


class Leaderboard(Answer):
    """A page of the leaderboard, best first."""

    items = many(RankedPlayer)
    next = a_text("`cursor` for the page after this; null on the last.", allow_none=True)
