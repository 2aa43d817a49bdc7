"""An observation tells what a seat may know, and nothing else."""

import dataclasses
import pickle
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import games, presets, random_step, seeds

from ddz_solver import Deal, Game, Hand, Observation, Phase, Play, Rules, SeatError


def redeal_hidden(game: Game, seat: int, rng: random.Random) -> Game:
    """The same hand, calls and plays with the cards that `seat` cannot know dealt otherwise."""
    assert game.deal is not None
    deal, rules, landlord = game.deal, game.rules, game.landlord
    played = [Hand()] * rules.players
    for player, play in game.history:
        played[player] += Hand(play.cards)
    sees_bottom = landlord is not None and (rules.bottom_shown or seat == landlord)
    loose = {}  # what may move: cards neither played, nor shown, nor the seat's own
    for player, hand in enumerate(game.hands):
        if player == seat:
            continue
        fixed = Hand.parse(deal.face_up or "") if player == deal.first_bidder else Hand()
        if player == landlord and sees_bottom:
            fixed = fixed + deal.bottom
        kept = Hand.from_counts(
            max(0, min(held, shown - gone))
            for held, shown, gone in zip(hand.counts, fixed.counts, played[player].counts, strict=True)
        )
        loose[player] = hand - kept
    bottom_is_loose = landlord is None
    cards = [card for hand in loose.values() for card in hand] + (list(deal.bottom) if bottom_is_loose else [])
    rng.shuffle(cards)
    hands, bottom = list(deal.hands), deal.bottom
    for player, old in loose.items():
        new = Hand.parse("".join(cards[: len(old)]))
        del cards[: len(old)]
        whole = hands[player] + (bottom if player == landlord else Hand())
        whole = whole - old + new
        if player == landlord and not sees_bottom:
            keep = Hand.parse(deal.face_up or "") if player == deal.first_bidder else Hand()
            bottom = Hand.parse("".join(list(whole - keep)[: len(bottom)]))
        hands[player] = whole - bottom if player == landlord else whole
    if bottom_is_loose:
        bottom = Hand.parse("".join(cards))
    twin = Game(rules, Deal(tuple(hands), bottom, deal.first_bidder, deal.face_up, deal.dealer))
    for _, bid in game.calls:
        twin.call(bid)
    for _, play in game.history:
        twin.push(play)
    return twin


hidden_bottom = presets.map(lambda rules: dataclasses.replace(rules, bottom_shown=False))


@settings(max_examples=80)
@given(games(presets | hidden_bottom), st.randoms(use_true_random=False))
def test_hidden_cards_do_not_matter(game: Game, rng: random.Random) -> None:
    assume(not game.over)
    for seat in range(game.rules.players):
        twin = redeal_hidden(game, seat, rng)
        seen, same = game.observation(seat), twin.observation(seat)
        assert seen == same
        assert seen.legal_plays == same.legal_plays
        assert pickle.dumps(seen) == pickle.dumps(same)


def test_hidden_cards_really_are_moved() -> None:
    """The test above would say nothing if the other hands stayed as they are."""
    rng = random.Random(3)
    game = Game("classic", seed=3)
    game.call(3)
    seat = (game.landlord + 1) % 3
    twins = [redeal_hidden(game, seat, rng) for _ in range(5)]
    assert len({twin.hands for twin in twins}) == 5
    assert len({twin.hands[seat] for twin in twins}) == 1


@settings(max_examples=60)
@given(games())
def test_what_a_seat_knows(game: Game) -> None:
    rules = game.rules
    for seat in range(rules.players):
        seen = game.observation(seat)
        assert seen.hand == game.hands[seat]
        assert seen.counts == tuple(map(len, game.hands))
        hidden = sum((hand for other, hand in enumerate(game.hands) if other != seat), Hand())
        if game.landlord is None:
            assert game.deal is not None
            hidden += game.deal.bottom
        assert seen.unseen == hidden
        played = sum((seen.played_by(other) for other in range(rules.players)), Hand())
        assert seen.hand + seen.unseen + played == rules.pack
        assert (seen.phase, seen.turn, seen.landlord) == (game.phase, game.turn, game.landlord)
        assert (seen.to_beat, seen.to_beat_by) == (game.to_beat, game.to_beat_by)
        assert (seen.calls, seen.history) == (game.calls, game.history)
        assert seen.legal_plays == (tuple(game.legal_plays) if seat == game.turn else ())
        assert seen.legal_calls == (game.legal_calls if seat == game.turn else ())
        assert seen.plays == tuple(
            sum(bool(play) for who, play in game.history if who == one) for one in range(rules.players)
        )
        assert seen.bottom == (game.bottom if game.landlord is not None else None)
        assert [seen.same_side(other) for other in game.winners] == [seat in game.winners] * len(game.winners)
        assert seen.is_landlord == (seat == game.landlord)


@given(games())
@settings(max_examples=30)
def test_it_is_a_value(game: Game) -> None:
    seen = game.observation(0)
    fields = {field.name: getattr(seen, field.name) for field in dataclasses.fields(Observation)}
    assert Observation(**fields) == seen == pickle.loads(pickle.dumps(seen))
    with pytest.raises(dataclasses.FrozenInstanceError):
        seen.seat = 1  # type: ignore[misc]


def test_nothing_leads_to_the_game() -> None:
    game = Game("classic", seed=1)
    game.call(3)
    seen = game.observation(0)
    for value in vars(seen).values():
        assert isinstance(value, (Rules, Hand, Phase, Play, tuple, int, str, type(None)))
    assert "Game" not in repr(seen)
    assert str(game.hands[1]) not in repr(seen)


@given(seeds)
@settings(max_examples=20)
def test_hidden_bottom_cards(seed: int) -> None:
    game = Game("classic,bottom_shown=no", seed=seed)
    game.call(3)
    random_step(game, random.Random(seed))
    for seat in range(3):
        assert (game.observation(seat).bottom is None) == (seat != game.landlord)


def test_an_observation_is_a_snapshot() -> None:
    game = Game.from_hands(["345", "67", "89"])
    seen = game.observation()
    game.push("3")
    assert (seen.hand, seen.history, seen.turn) == (Hand.parse("345"), (), 0)
    assert list(map(str, seen.legal_plays)) == ["3", "4", "5"]
    with pytest.raises(SeatError, match="seat=3"):
        game.observation(3)
