"""What holds in every state of random hands: the cards, the bookkeeping, legality, secrecy."""

import random
from collections import Counter
from typing import Any

from ginapi.errors import Refused
from ginapi.game.cards import card_text, cards_of, mask_of, parse_card, texts
from ginapi.game.hand import Deal, Hand, check, deal, legal_moves, play
from ginapi.game.moves import Move, move_dict, move_from
from ginapi.game.view import view
from tests import referee
from tests.game.playouts import good_answers, knock, layoff_dicts, play_out
from tests.game.spelled import text_set, text_sets
from tests.shares import numbers, rounds, share
from tests.tally import Tally


def code(hand: Hand, seat: int, move: dict[str, Any]) -> str | None:
    try:
        check(hand, seat, move_from(move))
    except Refused as refused:
        return refused.reason.value
    return None


def text_of(card: int | None) -> str | None:
    return None if card is None else card_text(card)


def test_every_state_has_52_cards_and_is_what_was_kept_on_paper() -> None:
    chance, kinds = numbers("states"), Counter[str]()
    # The random hands come to every end there is.
    wanted = {"gin", "knock", "undercut", "wash"}
    for _ in rounds(10_000, 1_000, lambda: set(kinds) == wanted):
        for hand, tally, _ in play_out(chance):
            stock = hand.deal.deck[hand.stock_at :]
            everywhere = [*cards_of(hand.cards[0]), *cards_of(hand.cards[1]), *hand.pile, *stock]
            assert sorted(everywhere) == list(range(52))
            assert [text_set(cards) for cards in hand.cards] == tally.hands
            assert [text_set(cards) for cards in hand.known] == tally.known
            assert (texts(hand.pile), texts(stock)) == (tally.pile, tally.stock)
            assert (hand.phase, hand.turn, hand.version) == (tally.phase, tally.turn, tally.moves)
            assert (text_of(hand.just_taken), text_of(hand.drawn_card)) == (tally.just_taken, tally.drawn)
            assert (hand.pile_draws, hand.stock_count) == (tally.taken_running, len(tally.stock))
            assert hand.passes == tally.passed
            assert [one.bit_count() for one in hand.cards] == [
                11 if hand.phase == "discard" and seat == hand.turn else 10 for seat in (0, 1)
            ]
        assert_ends_as_kept(hand, tally)
        kinds[tally.result[0] if tally.result else ""] += 1
    assert set(kinds) == wanted, kinds


def assert_ends_as_kept(hand: Hand, tally: Tally) -> None:
    assert hand.result is not None
    assert (hand.result.kind, hand.result.winner, hand.result.points) == tally.result
    assert hand.result.knocker == tally.knocker
    assert [text_set(seat.cards) for seat in hand.result.seats] == tally.hands
    for seat, shown in enumerate(hand.result.seats):
        own = [text_set(meld) for meld in shown.melds]
        laid = [(card_text(one.card), one.onto) for one in shown.layoffs]
        if tally.knocker == 1 - seat and hand.result.kind != "gin":
            left = referee.answer_left(tally.hands[seat], tally.declared or (), own, laid)
        else:
            assert laid == []
            assert referee.is_layout(tally.hands[seat], own)
            left = referee.deadwood_of(tally.hands[seat], own)
        assert left == shown.deadwood
    if tally.knocker is not None:
        assert hand.knock is not None
        assert text_sets(hand.knock.melds) == text_sets(hand.result.seats[tally.knocker].melds)
        assert text_set(hand.knock.deadwood_cards) == tally.hands[tally.knocker] - set().union(*(tally.declared or ()))


def bare(move: dict[str, Any]) -> tuple[str, str | None]:
    return move["action"], move.get("from") or move.get("card")


def test_a_move_is_accepted_if_and_only_if_it_is_listed() -> None:
    chance, codes = numbers("legality"), Counter[str | None]()
    tries = [{"action": "draw", "from": source} for source in ("stock", "discard")]
    tries += [{"action": action, "card": card} for action in ("discard", "knock") for card in referee.DECK]
    tries += [{"action": "layoff"}, {"action": "pass"}]
    wanted = {None, "hand_over", "not_your_turn", "wrong_phase", "card_not_in_hand", "card_just_taken"}
    for _ in rounds(1_000, 60, lambda: set(codes) >= wanted):
        for hand, tally, _ in play_out(chance):
            for seat in (0, 1):
                listed = [bare(move_dict(move)) for move in legal_moves(hand, seat)]
                assert len(listed) == len(set(listed))
                for move in tries:
                    expected = tally.verdict(seat, move)
                    assert code(hand, seat, move) == expected, (tally.hands[seat], move)
                    assert (bare(move) in listed) is (expected is None), (tally.hands[seat], move)
                    codes[expected] += 1
    assert set(codes) >= wanted


def some_melds(chance: random.Random, hand: set[str]) -> list[referee.Cards]:
    """Melds to try, good and bad: a layout of the hand, with now and then a card or meld too many or too few."""
    melds = [set(meld) for meld in chance.choice([melds for melds, _ in referee.layouts(hand)])]
    fault = chance.randrange(8)
    if fault == 0 and melds:
        chance.choice(melds).pop()
    elif fault == 1 and melds:
        chance.choice(melds).add(chance.choice(referee.DECK))
    elif fault == 2:
        melds.append(set(chance.sample(sorted(hand), 3)))
    elif fault == 3:
        melds.append(set(chance.choice(referee.MELDS)))
    elif fault == 4 and melds:
        melds.append(set(chance.choice(referee.melds_in(hand))))
    chance.shuffle(melds)
    return [frozenset(meld) for meld in melds]


def some_layoffs(chance: random.Random, tally: Tally, seat: int) -> list[dict[str, Any]]:
    """Lay-offs to try, good and bad: a legal sequence, with now and then another order, card or place."""
    assert tally.declared is not None
    laid = list(chance.choice(referee.answers(tally.hands[seat], tally.declared, ())).layoffs)
    fault = chance.randrange(6)
    if fault == 0:
        chance.shuffle(laid)
    elif fault == 1:
        laid.append((chance.choice(referee.DECK), chance.randrange(-1, len(tally.declared) + 1)))
    elif fault == 2 and laid:
        laid[0] = (laid[0][0], chance.randrange(-1, len(tally.declared) + 1))
    elif fault == 3 and laid:
        laid.append(chance.choice(laid))
    elif fault == 4 and laid:
        laid.pop(chance.randrange(len(laid)))
    return layoff_dicts(tuple(laid))


def test_given_melds_and_lay_offs_are_accepted_if_and_only_if_they_hold() -> None:
    chance, codes = numbers("given melds"), Counter[str | None]()
    wanted = {"discard None", "discard bad_melds", "discard too_much_deadwood", "layoff None", "layoff bad_melds"}
    wanted |= {"layoff bad_layoff", "discard card_just_taken", "discard card_not_in_hand"}
    for _ in rounds(6_000, 600, lambda: set(codes) >= wanted):
        for hand, tally, _ in play_out(chance):
            if hand.turn is None or hand.phase in ("offer", "draw"):
                continue
            seat = hand.turn
            for _ in range(20 if hand.phase == "layoff" else 2):
                held = tally.hands[seat]
                move: dict[str, Any] = {"action": "layoff"}
                if hand.phase == "discard":
                    shed = chance.choice([*sorted(held), chance.choice(referee.DECK)])
                    from_cards = held - {shed} if chance.random() < 0.8 else held
                    move = knock(chance, shed, some_melds(chance, from_cards))
                else:
                    if chance.random() < 0.7:
                        move["melds"] = [sorted(meld) for meld in some_melds(chance, held)]
                    if chance.random() < 0.7:
                        move["layoffs"] = some_layoffs(chance, tally, seat)
                expected = tally.verdict(seat, move)
                assert code(hand, seat, move) == expected, (held, tally.declared, move)
                codes[f"{hand.phase} {expected}"] += 1
            if hand.phase == "layoff":
                for move in good_answers(chance, tally.hands[seat], tally):
                    assert code(hand, seat, move) is None
    assert set(codes) >= wanted, codes


def replayed(deck: tuple[int, ...], dealt: Deal, moves: list[tuple[int, Move]]) -> Hand:
    hand = deal(deck, dealt.opener, dealt.rules)
    for seat, move in moves:
        hand = play(hand, seat, move)
    return hand


def swap_unseen(chance: random.Random, deck: tuple[int, ...], unseen: set[str]) -> tuple[int, ...]:
    """The deck with the cards that a seat has not seen dealt out among their places anew."""
    before = sorted(unseen)
    after = dict(zip(before, chance.sample(before, len(before)), strict=True))
    return tuple(parse_card(after.get(card_text(card), card_text(card))) for card in deck)


def refusals(hand: Hand, seat: int, moves: list[dict[str, Any]]) -> list[tuple[str, str] | None]:
    """Every refusal in full, for its words must not tell either."""
    told: list[tuple[str, str] | None] = []
    for move in moves:
        try:
            check(hand, seat, move_from(move))
            told.append(None)
        except Refused as refused:
            told.append((refused.reason.value, refused.detail))
    return told


def test_what_a_seat_cannot_see_changes_nothing_that_it_is_told() -> None:
    """The other seat's unknown cards and the stock change places: view, legal moves and refusals stay the same."""
    chance, different = numbers("secrecy"), 0
    tries = [{"action": action, "card": card} for action in ("discard", "knock") for card in referee.DECK]
    tries += [{"action": "draw", "from": "stock"}, {"action": "draw", "from": "discard"}, {"action": "layoff"}]
    tries += [{"action": "pass"}]
    for _ in range(share(1_000, 100)):
        moves: list[tuple[int, Move]] = []
        for hand, tally, last in play_out(chance):
            if last is not None:
                # The layout that the table chose is seen, and is named in the other world.
                named = dict(last[1])
                if named["action"] == "knock" and hand.knock is not None:
                    named["melds"] = [texts(meld) for meld in hand.knock.melds]
                moves.append((last[0], move_from(named)))
            if hand.phase == "finished" or chance.random() < 0.7:
                continue
            for seat in (0, 1):
                deck = swap_unseen(chance, hand.deal.deck, set(referee.DECK) - tally.seen[seat])
                other = replayed(deck, hand.deal, moves)
                different += other.cards[1 - seat] != hand.cards[1 - seat]
                assert view(other, seat) == view(hand, seat)
                assert legal_moves(other, seat) == legal_moves(hand, seat)
                assert refusals(other, seat, tries) == refusals(hand, seat, tries)
    assert different > 100


def test_a_view_names_what_the_seat_holds_and_has_seen() -> None:
    chance = numbers("views")
    for _ in range(share(2_000, 200)):
        for hand, tally, _ in play_out(chance):
            for seat in (0, 1):
                shown = view(hand, seat, (3, 4))
                assert (shown.seat, shown.opener, shown.version, shown.scores) == (
                    seat,
                    hand.deal.opener,
                    tally.moves,
                    (3, 4),
                )
                assert (shown.phase, shown.turn) == (tally.phase, tally.turn)
                assert text_set(shown.cards) == tally.hands[seat]
                assert text_set(shown.opponent_known) == tally.known[1 - seat]
                assert text_set(shown.own_known) == tally.known[seat]
                assert shown.opponent_cards_count == len(tally.hands[1 - seat])
                assert (shown.stock_count, texts(shown.pile)) == (len(tally.stock), tally.pile)
                assert shown.stock_only is (tally.passed == 2)
                assert text_of(shown.just_taken) == tally.just_taken
                assert text_of(shown.drawn_card) == (tally.drawn if tally.turn == seat else None)
                assert (shown.knock, shown.result) == (hand.knock, hand.result)
                told = mask_of([*cards_of(shown.cards | shown.opponent_known), *shown.pile])
                assert text_set(told) <= tally.seen[seat] or tally.phase == "finished"
