"""The network: sparse inputs, two hidden layers, three outputs a play: the win chance as a logit, and the expected
stakes (with all doublings, 1 without) of a game that is won and of one that is lost.
"""

from libc.stdint cimport int64_t, uint16_t

cdef enum: OUTPUTS = 3

ctypedef struct net_t:      # pointers into one block of parameters, in this order
    int columns
    int hidden1             # a multiple of 64
    int hidden2             # a multiple of 32
    float* w1               # [columns][hidden1]
    float* b1               # [hidden1]
    float* w2               # [hidden1][hidden2]
    float* b2               # [hidden2]
    float* w3               # [OUTPUTS][hidden2]
    float* b3               # [OUTPUTS]

cdef int64_t parameter_count(int columns, int hidden1, int hidden2) noexcept nogil
cdef void bind(net_t* net, float* parameters, int columns, int hidden1, int hidden2) noexcept nogil
cdef void first_layer(const net_t* net, const float* base, const uint16_t* add, int adds, const uint16_t* sub, int subs,
                      bint relu, float* out) noexcept nogil
cdef void second_layer(const net_t* net, const float* x1, int n, float* x2) noexcept nogil
cdef void outputs(const net_t* net, const float* x2, float* out) noexcept nogil
cdef void backward(const net_t* net, const float* w2t, const uint16_t* columns, int n, const float* x1, const float* x2,
                   const float* d_out, const net_t* gradient, float* g2t, float* d1, float* d2) noexcept nogil
cdef void add_transposed(const net_t* gradient, float* g2t) noexcept nogil
cdef void transpose(const net_t* net, float* w2t) noexcept nogil
cdef void adam(float* w, float* m, float* v, float* g, int64_t n, float scale, float rate) noexcept nogil
cdef void average(float* a, const float* w, int64_t n, float share) noexcept nogil

cdef class Network:
    cdef net_t c
    cdef readonly object parameters
    cdef float[::1] view
    cdef int run(self, columns, d_out, into, float* out) except -1
