"""The network's forward and backward pass over sparse 0/1 inputs. The loops are in kernels.h."""

from libc.stdint cimport int32_t, int64_t, uint16_t
from libc.stdlib cimport calloc, free, malloc

cdef extern from "kernels.h":
    void ddz_rows(float* out, const float* base, const float* w, const uint16_t* add, int adds, const uint16_t* sub,
                  int subs, int width, int relu) noexcept nogil
    int ddz_active(const float* x, int n, int32_t* out) noexcept nogil
    void ddz_dense(float* y, const float* x, const int32_t* active, int n, const float* w, const float* bias,
                   int outs) noexcept nogil
    void ddz_three_dots(float* out, const float* x, const float* w, int n) noexcept nogil
    void ddz_dense_back(float* d1, float* g2t, const float* w2t, const float* x1, const float* d2, int ins,
                        int outs) noexcept nogil
    void ddz_scatter(float* g, const uint16_t* rows, int n, const float* d, int width) noexcept nogil
    void ddz_adam(float* w, float* m, float* v, float* g, int64_t n, float scale, float rate, float beta1, float beta2,
                  float epsilon) noexcept nogil
    void ddz_average(float* a, const float* w, int64_t n, float share) noexcept nogil

cdef enum:
    ALIGNMENT = 64
    MAX_HIDDEN1 = 4096


cdef int64_t parameter_count(int columns, int hidden1, int hidden2) noexcept nogil:
    """Numbers in a parameter block."""
    return (<int64_t>columns + 1) * hidden1 + (hidden1 + 1) * hidden2 + OUTPUTS * (hidden2 + 1)


cdef void bind(net_t* net, float* parameters, int columns, int hidden1, int hidden2) noexcept nogil:
    """Points `net` into a parameter block."""
    net.columns = columns
    net.hidden1 = hidden1
    net.hidden2 = hidden2
    net.w1 = parameters
    net.b1 = net.w1 + <int64_t>columns * hidden1
    net.w2 = net.b1 + hidden1
    net.b2 = net.w2 + hidden1 * hidden2
    net.w3 = net.b2 + hidden2
    net.b3 = net.w3 + OUTPUTS * hidden2


cdef void first_layer(const net_t* net, const float* base, const uint16_t* add, int adds, const uint16_t* sub, int subs,
                      bint relu, float* out) noexcept nogil:
    """out = base + rows `add` - rows `sub` of the first layer, cut off at 0 where `relu`; `base` NULL means the bias."""
    ddz_rows(out, base if base != NULL else net.b1, net.w1, add, adds, sub, subs, net.hidden1, relu)


cdef void second_layer(const net_t* net, const float* x1, int n, float* x2) noexcept nogil:
    """The second hidden layer of n rows."""
    cdef int32_t active[MAX_HIDDEN1 + 16]
    cdef int k, found
    for k in range(n):
        found = ddz_active(x1 + k * net.hidden1, net.hidden1, active)
        ddz_dense(x2 + k * net.hidden2, x1 + k * net.hidden1, active, found, net.w2, net.b2, net.hidden2)


cdef void outputs(const net_t* net, const float* x2, float* out) noexcept nogil:
    """The outputs of one row: win chance as a logit, stakes if won, stakes if lost."""
    cdef int k
    ddz_three_dots(out, x2, net.w3, net.hidden2)
    for k in range(OUTPUTS):
        out[k] += net.b3[k]


cdef void transpose(const net_t* net, float* w2t) noexcept nogil:
    """The second layer's weights as [hidden2][hidden1], as the backward pass reads them."""
    cdef int i, j
    for i in range(net.hidden1):
        for j in range(net.hidden2):
            w2t[j * net.hidden1 + i] = net.w2[i * net.hidden2 + j]


cdef void add_transposed(const net_t* gradient, float* g2t) noexcept nogil:
    """Adds the second layer's gradient, gathered as [hidden2][hidden1], to its place and clears `g2t`."""
    cdef int i, j
    for i in range(gradient.hidden1):
        for j in range(gradient.hidden2):
            gradient.w2[i * gradient.hidden2 + j] += g2t[j * gradient.hidden1 + i]
            g2t[j * gradient.hidden1 + i] = 0


cdef void backward(const net_t* net, const float* w2t, const uint16_t* columns, int n, const float* x1, const float* x2,
                   const float* d_out, const net_t* gradient, float* g2t, float* d1, float* d2) noexcept nogil:
    """Adds one sample's gradient; `d_out` is the loss by the outputs, d1 and d2 are scratch of the hidden sizes.

    The second layer's part goes to `g2t`, transposed; `add_transposed` puts it in its place.
    """
    cdef int j, k
    cdef int width = net.hidden2
    for j in range(width):
        d2[j] = 0
    for k in range(OUTPUTS):
        gradient.b3[k] += d_out[k]
        if d_out[k] != 0:
            for j in range(width):
                gradient.w3[k * width + j] += d_out[k] * x2[j]
                d2[j] += d_out[k] * net.w3[k * width + j]
    for j in range(width):
        d2[j] = d2[j] if x2[j] > 0 else 0
        gradient.b2[j] += d2[j]
    ddz_dense_back(d1, g2t, w2t, x1, d2, net.hidden1, width)
    for j in range(net.hidden1):
        gradient.b1[j] += d1[j]
    ddz_scatter(gradient.w1, columns, n, d1, net.hidden1)


cdef void adam(float* w, float* m, float* v, float* g, int64_t n, float scale, float rate) noexcept nogil:
    """One Adam step on n parameters with gradient `scale` * g, which is cleared."""
    ddz_adam(w, m, v, g, n, scale, rate, 0.9, 0.999, 1e-8)


cdef void average(float* a, const float* w, int64_t n, float share) noexcept nogil:
    """Moves the running average a towards w."""
    ddz_average(a, w, n, share)


def aligned_floats(int64_t count):
    """A zeroed block of `count` float32 numbers on a cache line, as a memoryview."""
    memory = bytearray(4 * count + ALIGNMENT)
    cdef unsigned char[::1] raw = memory
    cdef int64_t skip = -<int64_t><size_t>&raw[0] % ALIGNMENT
    skip = (skip + ALIGNMENT) % ALIGNMENT
    return memoryview(memory)[skip:skip + 4 * count].cast("f")


cdef class Network:
    """A network whose numbers live in one flat, writable float32 block, `parameters`, which numpy can share.

    Order: first layer [columns][hidden1] and its bias, second layer [hidden1][hidden2] and its bias, output layer
    [3][hidden2] and its bias. Raises ValueError for sizes the kernels cannot take: `hidden1` is a multiple of 64,
    `hidden2` of 32.
    """

    def __init__(self, int columns, int hidden1, int hidden2):
        if (not 0 < columns < 65536 or not 64 <= hidden1 <= MAX_HIDDEN1 or hidden1 % 64
                or not 32 <= hidden2 <= 1024 or hidden2 % 32):
            raise ValueError(
                f"network of {columns} x {hidden1} x {hidden2}: expected under 65536 columns and hidden sizes that are "
                "multiples of 64 (at most 4096) and of 32 (at most 1024)"
            )
        self.parameters = aligned_floats(parameter_count(columns, hidden1, hidden2))
        self.view = self.parameters
        bind(&self.c, &self.view[0], columns, hidden1, hidden2)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(columns, hidden1, hidden2)."""
        return self.c.columns, self.c.hidden1, self.c.hidden2

    def forward(self, columns) -> tuple[float, float, float]:
        """Win logit, stakes if won and stakes if lost for one list of columns that are on.

        Raises ValueError for a column out of range.
        """
        cdef float out[OUTPUTS]
        self.run(columns, None, None, out)
        return out[0], out[1], out[2]

    def gradient(self, columns, d_out, into) -> None:
        """Adds the gradient of sum(d_out[k] * output k) by the parameters to `into`, a block like `parameters`."""
        cdef float out[OUTPUTS]
        self.run(columns, d_out, into, out)

    cdef int run(self, columns, d_out, into, float* out) except -1:
        cdef int n = len(columns), i
        cdef int64_t width = self.c.hidden1, width2 = self.c.hidden2
        cdef float d[OUTPUTS]
        cdef float[::1] block
        cdef net_t gradient
        cdef uint16_t* rows = <uint16_t*>malloc((n + 1) * sizeof(uint16_t))
        cdef float* memory = <float*>calloc(2 * width + 2 * width2 + 2 * width * width2, sizeof(float))
        cdef float* w2t = memory + 2 * width + 2 * width2
        if rows == NULL or memory == NULL:
            free(rows)
            free(memory)
            raise MemoryError("network scratch")
        try:
            for i in range(n):
                if not 0 <= columns[i] < self.c.columns:
                    raise ValueError(f"column {columns[i]}, expected 0..{self.c.columns - 1}")
                rows[i] = columns[i]
            first_layer(&self.c, NULL, rows, n, NULL, 0, True, memory)
            second_layer(&self.c, memory, 1, memory + 2 * width)
            outputs(&self.c, memory + 2 * width, out)
            if d_out is not None:
                block = into
                if block.shape[0] != parameter_count(self.c.columns, self.c.hidden1, self.c.hidden2):
                    raise ValueError(f"gradient block of {block.shape[0]} numbers")
                bind(&gradient, &block[0], self.c.columns, self.c.hidden1, self.c.hidden2)
                for i in range(OUTPUTS):
                    d[i] = d_out[i]
                transpose(&self.c, w2t)
                backward(&self.c, w2t, rows, n, memory, memory + 2 * width, d, &gradient, w2t + width * width2,
                         memory + width, memory + 2 * width + width2)
                add_transposed(&gradient, w2t + width * width2)
        finally:
            free(rows)
            free(memory)
        return 0
