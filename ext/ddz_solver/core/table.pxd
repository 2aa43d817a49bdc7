"""Transposition table of the open-hand search: a fixed block of memory that its caller owns.

An entry is 16 bytes:

    check   64 bits  second half of the 128-bit key of the node; the first half chooses the bucket
    bits     0..23   proof number: work left to show that the landlord reaches the goal; 0: shown
    bits    24..47   disproof number: work left to show that he cannot; 0: shown
    bits    48..55   effort: log2 of the nodes spent below, in eighths, saturating at 255
    bits    56..63   generation: searches started on this table, modulo 256; 0: the entry is empty

Four entries form a bucket of one cache line. A table begins small, so that short searches stay in the cache, and doubles
up to its size as entries come in: the old buckets are copied, since an entry does not tell which half it now belongs to.

With 2^B buckets two different nodes are confused with probability 2^-(64+B) a comparison: about 1e-14 for a search of
10^9 nodes with 2^20 buckets.
"""

from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    BUCKET = 4
    INFINITE = 0xFFFFFF         # a proof or disproof number that no work can lower

ctypedef struct slot_t:
    uint64_t check
    uint64_t data

ctypedef struct key_t:
    uint64_t index
    uint64_t check

ctypedef struct table_t:
    slot_t* slots
    uint64_t mask               # buckets in use - 1; their number is a power of two
    uint64_t last_mask          # buckets that there is memory for - 1
    uint64_t entered            # entries that took an empty slot or another's since the table has had this mask
    uint32_t generation         # 1..255

cdef bint table_probe(const table_t* table, const key_t* key, uint32_t* pn, uint32_t* dn) noexcept nogil
cdef void table_store(table_t* table, const key_t* key, uint32_t pn, uint32_t dn, uint64_t nodes) noexcept nogil
cdef void table_next_generation(table_t* table) noexcept nogil

cdef class Table:
    cdef table_t c
    cdef void* block
