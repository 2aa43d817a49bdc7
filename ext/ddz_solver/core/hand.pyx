"""Hands as 64-bit rank counts: packing, size and text."""

RANK_CHARS = "3456789TJQKA2XD"


def pack(counts) -> int:
    """The packed hand of 15 counts (3 first, red joker last), each 0..8.

    Raises ValueError where there are not 15 counts or one is out of range.

    >>> text(pack([1, 2] + [0] * 13))
    '344'
    """
    cdef hand_t hand = 0
    cdef int rank, count
    counts = tuple(counts)
    if len(counts) != RANKS:
        raise ValueError(f"{len(counts)} counts given, expected {RANKS}, one a rank")
    for rank in range(RANKS):
        count = counts[rank]
        if not 0 <= count <= 8:
            raise ValueError(f"count {counts[rank]} of rank {RANK_CHARS[rank]}, expected 0..8")
        hand |= cards_of(rank, count)
    return hand


def unpack(hand_t hand) -> tuple[int, ...]:
    """The 15 counts of a packed hand."""
    return tuple([count_of(hand, rank) for rank in range(RANKS)])


def size(hand_t hand) -> int:
    """Number of cards in a packed hand."""
    return hand_size(hand)


def contains(hand_t hand, hand_t part) -> bool:
    """Whether every card of the packed hand `part` is in `hand`."""
    return holds(hand, part)


def text(hand_t hand) -> str:
    """The cards in ascending order, such as '334TXD'; '' for an empty hand."""
    cdef int rank
    return "".join([RANK_CHARS[rank] * count_of(hand, rank) for rank in range(RANKS) if count_of(hand, rank)])
