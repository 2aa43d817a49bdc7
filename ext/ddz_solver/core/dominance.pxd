"""Moves that cannot be better than another move of the same node, and why.

Exchange. Let seat P hold R + a^u, u cards of rank a, u = 1 or 2, and let b > a. If R holds no a and no b, a stands in no
straight or pair straight of R + a^u, no teammate of P holds a rank in (a, b], and R holds no joker where b is one, then P's
side does at least as well with R + b^u.
Proof: play as with R + a^u, with b for a. The same kinds of play can be made: single cards, pairs and extras are all that
a^u can be part of, and b collides with nothing in R. A play with b beats whatever the one with a beats; opponents have at
most the same answers, teammates exactly the same ones. Doublings and numbers of plays do not change.

So of two moves that differ in one exchange only, a played and b kept, or b played and a kept, the second may be left out
- where a and b are extras, which decide nothing about who can answer;
- where they are the whole play (solo or pair), if moreover no opponent holds a rank in (a, b]: then all seats have the same
  answers to both.
"""

from ddz_solver.core.moves cimport move_t, rules_t
from ddz_solver.core.node cimport node_t

cdef int drop_dominated(
    const node_t* node, const rules_t* rules, int landlord, move_t* moves, int count,
) noexcept nogil
