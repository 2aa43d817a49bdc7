"""What self-play threads share: the networks being trained, Adam's moments and the running averages, one lock a role."""

from libc.stdint cimport int64_t, uint8_t, uint16_t

from ddz_solver.core.hand cimport MAX_SEATS
from ddz_solver.core.net cimport net_t

cdef enum: FIT_CHUNK = 32

ctypedef struct pupil_t:            # one role's network in training
    net_t net
    float* mean                     # Adam's moments, laid out like the parameters
    float* square
    float* average
    int64_t steps
    void* lock                      # held while the parameters are being changed

ctypedef struct batch_t:            # samples of one role that wait for the next step; owned by one thread
    int size                        # samples a step
    int count
    int used                        # columns stored
    int* ends                       # [size] end of each sample's columns
    uint16_t* columns
    float* wins                     # [size] target win chance
    float* stakes                   # [size] target stakes
    uint8_t* won                    # [size] whether they are those of a won game

ctypedef struct fitting_t:          # scratch of one thread
    net_t gradient
    float* block                    # the gradient's parameter block
    uint8_t* touched                # [columns] rows with a gradient
    float* w2t                      # second layer's weights and gradient, transposed
    float* g2t
    float* x1
    float* x2
    float* d1
    float* d2
    double win_loss                 # sums since the caller cleared them
    double stake_loss
    int64_t samples

cdef int make_batch(batch_t* batch, int size) except -1
cdef void free_batch(batch_t* batch) noexcept nogil
cdef int make_fitting(fitting_t* fitting, const net_t* net) except -1
cdef void free_fitting(fitting_t* fitting) noexcept nogil
cdef void add_sample(batch_t* batch, const uint16_t* columns, int n, float win, bint won,
                     float stakes) noexcept nogil
cdef void fit(pupil_t* pupil, batch_t* batch, fitting_t* fitting, float rate) noexcept nogil

cdef class Learner:
    cdef readonly object rules
    cdef readonly tuple networks
    cdef readonly tuple means, squares, averages
    cdef tuple views
    cdef pupil_t pupils[MAX_SEATS]
    cdef int roles
