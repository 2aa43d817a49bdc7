"""Transposition table: probe, store with replacement, and the owner of its memory."""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

cdef enum: FIRST_BUCKETS = 4096         # 256 KiB


cdef inline int effort_of(uint64_t nodes) noexcept nogil:
    """log2 of a number of nodes in eighths, 0..255."""
    cdef int log = 0
    cdef uint64_t rest = nodes
    while rest >= 16:
        rest >>= 1
        log += 1
    # 8..15 are the eighths between two powers of two; smaller numbers stand for themselves
    return 8 * log + <int>rest if 8 * log + <int>rest < 255 else 255


cdef bint table_probe(const table_t* table, const key_t* key, uint32_t* pn, uint32_t* dn) noexcept nogil:
    """Proof and disproof number stored for `key`; False where there are none."""
    cdef const slot_t* slot = table.slots + (key.index & table.mask) * BUCKET
    cdef int i
    for i in range(BUCKET):
        if slot[i].check == key.check and slot[i].data:
            pn[0] = <uint32_t>(slot[i].data & INFINITE)
            dn[0] = <uint32_t>(slot[i].data >> 24 & INFINITE)
            return True
    return False


cdef void table_store(table_t* table, const key_t* key, uint32_t pn, uint32_t dn, uint64_t nodes) noexcept nogil:
    """Stores the numbers of a node: over its old entry, else over the entry that cost least.

    Entries of earlier generations go first, whatever they cost.
    """
    cdef slot_t* slot = table.slots + (key.index & table.mask) * BUCKET
    cdef int i, worth, effort, chosen = 0, lowest = 1 << 30
    for i in range(BUCKET):
        if slot[i].check == key.check or not slot[i].data:
            chosen = i
            break
        effort = <int>(slot[i].data >> 48 & 255)
        worth = effort if slot[i].data >> 56 == table.generation else effort - 256
        if worth < lowest:
            lowest = worth
            chosen = i
    if slot[chosen].check != key.check:
        table.entered += 1
    slot[chosen].check = key.check
    slot[chosen].data = (<uint64_t>pn | <uint64_t>dn << 24 | <uint64_t>effort_of(nodes) << 48
                         | <uint64_t>table.generation << 56)
    if table.entered > table.mask and table.mask < table.last_mask:
        memcpy(table.slots + (table.mask + 1) * BUCKET, table.slots, (table.mask + 1) * BUCKET * sizeof(slot_t))
        table.mask = 2 * table.mask + 1
        table.entered = 0


cdef void table_next_generation(table_t* table) noexcept nogil:
    """Makes everything stored so far the first to be replaced; it stays valid and can still be found."""
    table.generation = table.generation + 1 if table.generation < 255 else 1


cdef class Table:
    """Owns the memory of a transposition table: as many buckets, a power of two, as fit in `size` bytes (64 to 2**48)."""

    def __cinit__(self, uint64_t size):
        cdef uint64_t buckets = 1
        if not BUCKET * sizeof(slot_t) <= size <= <uint64_t>1 << 48:
            raise ValueError(f"table of {size} bytes, expected {BUCKET * sizeof(slot_t)} to 2**48")
        while 2 * buckets * BUCKET * sizeof(slot_t) <= size:
            buckets *= 2
        self.block = calloc(buckets * BUCKET * sizeof(slot_t) + 64, 1)
        if self.block == NULL:
            raise MemoryError(f"table of {size} bytes")
        self.c.slots = <slot_t*>((<uint64_t>self.block + 63) & ~<uint64_t>63)
        self.c.last_mask = buckets - 1
        self.clear()            # mask is 0 until here: the memory is zero already and stays untouched

    def __dealloc__(self):
        free(self.block)

    def clear(self) -> None:
        """Forgets everything."""
        memset(self.c.slots, 0, (self.c.mask + 1) * BUCKET * sizeof(slot_t))
        self.c.mask = min(self.c.last_mask, FIRST_BUCKETS - 1)
        self.c.entered = 0
        self.c.generation = 1

    @property
    def size(self) -> int:
        """Bytes of all entries."""
        return (self.c.last_mask + 1) * BUCKET * sizeof(slot_t)
