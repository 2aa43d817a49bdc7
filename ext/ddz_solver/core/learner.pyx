"""Fitting in compiled code: mini-batches, Adam on the rows of the first layer that were used, running averages."""

from cpython.pythread cimport (
    PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock, PyThread_type_lock, WAIT_LOCK,
)
from libc.math cimport exp, log1p, pow, sqrt
from libc.stdint cimport int64_t, uint8_t, uint16_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from ddz_solver.core.features cimport MAX_ADDED, MAX_STATE, layout_t, make_layout
from ddz_solver.core.moves cimport CompiledRules
from ddz_solver.core.net cimport (
    OUTPUTS, Network, adam, add_transposed, average, backward, bind, first_layer, net_t, outputs, parameter_count,
    second_layer, transpose,
)
from ddz_solver.core.rng cimport rng_t, uniform

from ddz_solver.core.net import aligned_floats

cdef enum: AVERAGE_EVERY = 16           # steps between two updates of the running average

cdef extern from *:
    """
    #define DDZ_AVERAGE_SHARE 0.01f     /* share of the newest parameters in each update of the running average, ... */
    #define DDZ_AVERAGE_WARM 160.0f     /* ... and more at first: this over the number of steps */
    #define DDZ_STAKE_WEIGHT 0.4f       /* weight of the stakes' squared error beside the win chance's log loss */
    #define DDZ_STAKE_CLIP 6.0f         /* largest error of the stakes that counts */
    """
    float AVERAGE_SHARE "DDZ_AVERAGE_SHARE"
    float AVERAGE_WARM "DDZ_AVERAGE_WARM"
    float STAKE_WEIGHT "DDZ_STAKE_WEIGHT"
    float STAKE_CLIP "DDZ_STAKE_CLIP"


cdef int make_batch(batch_t* batch, int size) except -1:
    """Allocates a batch of `size` samples."""
    memset(batch, 0, sizeof(batch_t))
    batch.size = size
    batch.ends = <int*>malloc(size * sizeof(int))
    batch.columns = <uint16_t*>malloc(<size_t>size * (MAX_STATE + MAX_ADDED) * sizeof(uint16_t))
    batch.wins = <float*>malloc(size * sizeof(float))
    batch.stakes = <float*>malloc(size * sizeof(float))
    batch.won = <uint8_t*>malloc(size)
    if batch.ends == NULL or batch.columns == NULL or batch.wins == NULL or batch.stakes == NULL or batch.won == NULL:
        raise MemoryError(f"batch of {size} samples")
    return 0


cdef void free_batch(batch_t* batch) noexcept nogil:
    """Gives the memory back."""
    free(batch.ends)
    free(batch.columns)
    free(batch.wins)
    free(batch.stakes)
    free(batch.won)
    memset(batch, 0, sizeof(batch_t))


cdef int make_fitting(fitting_t* fitting, const net_t* net) except -1:
    """Allocates the scratch of one thread for networks of this size."""
    memset(fitting, 0, sizeof(fitting_t))
    fitting.block = <float*>calloc(parameter_count(net.columns, net.hidden1, net.hidden2), sizeof(float))
    fitting.touched = <uint8_t*>calloc(net.columns, 1)
    fitting.w2t = <float*>calloc(
        2 * net.hidden1 * net.hidden2 + (FIT_CHUNK + 1) * (net.hidden1 + net.hidden2), sizeof(float)
    )
    if fitting.block == NULL or fitting.touched == NULL or fitting.w2t == NULL:
        raise MemoryError("training scratch")
    bind(&fitting.gradient, fitting.block, net.columns, net.hidden1, net.hidden2)
    fitting.g2t = fitting.w2t + net.hidden1 * net.hidden2
    fitting.x1 = fitting.g2t + net.hidden1 * net.hidden2
    fitting.x2 = fitting.x1 + FIT_CHUNK * net.hidden1
    fitting.d1 = fitting.x2 + FIT_CHUNK * net.hidden2
    fitting.d2 = fitting.d1 + net.hidden1
    return 0


cdef void free_fitting(fitting_t* fitting) noexcept nogil:
    """Gives the memory back."""
    free(fitting.block)
    free(fitting.touched)
    free(fitting.w2t)
    memset(fitting, 0, sizeof(fitting_t))


cdef void add_sample(batch_t* batch, const uint16_t* columns, int n, float win, bint won, float stakes) noexcept nogil:
    """Appends a sample; the batch must not be full. `win` and `stakes` are its targets, `won` how the game ended."""
    memcpy(batch.columns + batch.used, columns, n * sizeof(uint16_t))
    batch.used += n
    batch.ends[batch.count] = batch.used
    batch.wins[batch.count] = win
    batch.stakes[batch.count] = stakes
    batch.won[batch.count] = won
    batch.count += 1


cdef void fit(pupil_t* pupil, batch_t* batch, fitting_t* fitting, float rate) noexcept nogil:
    """One Adam step on the batch, which is emptied. Loss: log loss of the win chance + weighted squared error of the stakes.

    Only the stakes of what came to pass, a won or a lost game, are fitted.
    """
    cdef net_t* net = &pupil.net
    cdef int first, n, k, start, length, column, head
    cdef float out[OUTPUTS]
    cdef float d_out[OUTPUTS]
    cdef double chance, error
    cdef const uint16_t* columns
    cdef int64_t row, tail
    cdef float scale = <float>(1.0 / batch.count)
    transpose(net, fitting.w2t)
    first = 0
    while first < batch.count:
        n = min(batch.count - first, FIT_CHUNK)
        for k in range(n):
            start = batch.ends[first + k - 1] if first + k else 0
            first_layer(net, NULL, batch.columns + start, batch.ends[first + k] - start, NULL, 0, True,
                        fitting.x1 + k * net.hidden1)
        second_layer(net, fitting.x1, n, fitting.x2)
        for k in range(n):
            outputs(net, fitting.x2 + k * net.hidden2, out)
            chance = 1.0 / (1.0 + exp(-out[0]))
            fitting.win_loss += log1p(exp(-out[0] if out[0] > 0 else out[0])) + (out[0] if out[0] > 0 else 0) \
                - batch.wins[first + k] * out[0]
            d_out[0] = <float>(chance - batch.wins[first + k])
            head = 1 if batch.won[first + k] else 2
            error = out[head] - batch.stakes[first + k]
            fitting.stake_loss += error * error
            d_out[head] = STAKE_WEIGHT * min(max(<float>error, -STAKE_CLIP), STAKE_CLIP)
            d_out[3 - head] = 0
            start = batch.ends[first + k - 1] if first + k else 0
            length = batch.ends[first + k] - start
            columns = batch.columns + start
            backward(net, fitting.w2t, columns, length, fitting.x1 + k * net.hidden1, fitting.x2 + k * net.hidden2, d_out,
                     &fitting.gradient, fitting.g2t, fitting.d1, fitting.d2)
            for column in range(length):
                fitting.touched[columns[column]] = 1
        first += n
    fitting.samples += batch.count
    add_transposed(&fitting.gradient, fitting.g2t)

    PyThread_acquire_lock(<PyThread_type_lock>pupil.lock, WAIT_LOCK)
    pupil.steps += 1
    rate *= <float>(sqrt(1.0 - pow(0.999, <double>pupil.steps)) / (1.0 - pow(0.9, <double>pupil.steps)))
    for column in range(net.columns):
        if fitting.touched[column]:
            fitting.touched[column] = 0
            row = <int64_t>column * net.hidden1
            adam(net.w1 + row, pupil.mean + row, pupil.square + row, fitting.block + row, net.hidden1, scale, rate)
    row = <int64_t>net.columns * net.hidden1
    tail = parameter_count(net.columns, net.hidden1, net.hidden2) - row
    adam(net.w1 + row, pupil.mean + row, pupil.square + row, fitting.block + row, tail, scale, rate)
    if pupil.steps % AVERAGE_EVERY == 0:
        average(pupil.average, net.w1, row + tail,
                min(max(AVERAGE_SHARE, AVERAGE_WARM / <float>pupil.steps), 1))
    PyThread_release_lock(<PyThread_type_lock>pupil.lock)
    batch.count = 0
    batch.used = 0


cdef class Learner:
    """Networks of all roles in training, with Adam's moments and running averages, as float32 blocks numpy can share.

    New ones start from scaled normal weights drawn from `seed`.
    """

    def __init__(self, CompiledRules rules not None, int hidden1=256, int hidden2=64, int seed=0):
        cdef layout_t layout
        cdef Network network
        cdef int role
        cdef float[::1] view
        make_layout(&layout, &rules.c)
        self.rules = rules
        self.roles = rules.c.players
        self.networks = tuple([Network(layout.columns, hidden1, hidden2) for role in range(self.roles)])
        count = parameter_count(layout.columns, hidden1, hidden2)
        self.means = tuple([aligned_floats(count) for role in range(self.roles)])
        self.squares = tuple([aligned_floats(count) for role in range(self.roles)])
        self.averages = tuple([aligned_floats(count) for role in range(self.roles)])
        views = []
        for role in range(self.roles):
            network = self.networks[role]
            self.pupils[role].net = network.c
            randomise(&network.c, (<unsigned long long>seed << 8) + role)
            for block, slot in ((self.means, 0), (self.squares, 1), (self.averages, 2)):
                view = block[role]
                views.append(view)
                if slot == 0:
                    self.pupils[role].mean = &view[0]
                elif slot == 1:
                    self.pupils[role].square = &view[0]
                else:
                    self.pupils[role].average = &view[0]
            memcpy(self.pupils[role].average, network.c.w1, count * sizeof(float))
            self.pupils[role].lock = <void*>PyThread_allocate_lock()
            if self.pupils[role].lock == NULL:
                raise MemoryError("lock")
        self.views = tuple(views)

    def __dealloc__(self):
        cdef int role
        for role in range(MAX_SEATS):
            if self.pupils[role].lock != NULL:
                PyThread_free_lock(<PyThread_type_lock>self.pupils[role].lock)

    @property
    def steps(self) -> tuple[int, ...]:
        """Adam steps taken by each role."""
        return tuple([self.pupils[role].steps for role in range(self.roles)])

    @steps.setter
    def steps(self, values):
        cdef int role
        for role in range(self.roles):
            self.pupils[role].steps = values[role]


cdef double normal(rng_t* rng) noexcept nogil:
    """A roughly normal number: the sum of twelve uniform ones (Irwin-Hall)."""
    cdef double total = -6
    cdef int i
    for i in range(12):
        total += uniform(rng)
    return total


cdef void randomise(net_t* net, unsigned long long seed) noexcept nogil:
    """First weights: variance 2 / inputs that are on at a time (about 100) and 2 / inputs; near 0 for the outputs.

    So a new network says even chances and stakes of 1.
    """
    cdef rng_t rng
    cdef int64_t i
    rng.state = seed
    for i in range(<int64_t>net.columns * net.hidden1):
        net.w1[i] = <float>(normal(&rng) * 0.14)
    for i in range(net.hidden1 * net.hidden2):
        net.w2[i] = <float>(normal(&rng) * sqrt(2.0 / net.hidden1))
    for i in range(OUTPUTS * net.hidden2):
        net.w3[i] = <float>(normal(&rng) * 0.02)
    for i in range(1, OUTPUTS):
        net.b3[i] = 1
