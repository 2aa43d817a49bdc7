/* The few loops of the network that must be fast. Widths are multiples of 64 (first layer) and 32 (second layer).

   With GCC or Clang the loops use vector extensions and, on x86-64 Linux, are compiled once for each instruction set and
   picked at load time; elsewhere the compiler's default target is used. MSVC gets the plain loops. */
#ifndef DDZ_KERNELS_H
#define DDZ_KERNELS_H

#include <math.h>
#include <stdint.h>

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) \
    && __GNUC__ >= 12
#define DDZ_DISPATCH
#include <immintrin.h>
#define DDZ_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define DDZ_CLONES
#endif

#if defined(__GNUC__)
typedef float ddz_v16 __attribute__((vector_size(64), aligned(4), may_alias));
#define DDZ_LOAD(p) (*(const ddz_v16*)(p))
#define DDZ_STORE(p, x) (*(ddz_v16*)(p) = (x))
typedef int ddz_i16 __attribute__((vector_size(64), aligned(4), may_alias));
#define DDZ_RELU(x) ((ddz_v16)((ddz_i16)(x) & ((x) > (ddz_v16){0})))
#endif

#define DDZ_FADED 1e-35f    /* moments under it are 0 */

/* out = base + sum of rows `add` - sum of rows `sub` of w; negative results become 0 where `relu` is set. */
DDZ_CLONES static void ddz_rows(float* out, const float* base, const float* w, const uint16_t* add, int adds,
                                const uint16_t* sub, int subs, int width, int relu) {
    for (int b = 0; b < width; b += 64) {
#if defined(__GNUC__)
        ddz_v16 s0 = DDZ_LOAD(base + b), s1 = DDZ_LOAD(base + b + 16), s2 = DDZ_LOAD(base + b + 32),
                s3 = DDZ_LOAD(base + b + 48);
        for (int i = 0; i < adds; i++) {
            const float* row = w + (int64_t)add[i] * width + b;
            s0 += DDZ_LOAD(row); s1 += DDZ_LOAD(row + 16); s2 += DDZ_LOAD(row + 32); s3 += DDZ_LOAD(row + 48);
        }
        for (int i = 0; i < subs; i++) {
            const float* row = w + (int64_t)sub[i] * width + b;
            s0 -= DDZ_LOAD(row); s1 -= DDZ_LOAD(row + 16); s2 -= DDZ_LOAD(row + 32); s3 -= DDZ_LOAD(row + 48);
        }
        if (relu) {
            s0 = DDZ_RELU(s0); s1 = DDZ_RELU(s1); s2 = DDZ_RELU(s2); s3 = DDZ_RELU(s3);
        }
        DDZ_STORE(out + b, s0); DDZ_STORE(out + b + 16, s1); DDZ_STORE(out + b + 32, s2); DDZ_STORE(out + b + 48, s3);
#else
        float s[64];
        for (int j = 0; j < 64; j++) s[j] = base[b + j];
        for (int i = 0; i < adds; i++)
            for (int j = 0; j < 64; j++) s[j] += w[(int64_t)add[i] * width + b + j];
        for (int i = 0; i < subs; i++)
            for (int j = 0; j < 64; j++) s[j] -= w[(int64_t)sub[i] * width + b + j];
        for (int j = 0; j < 64; j++) out[b + j] = relu && s[j] < 0 ? 0 : s[j];
#endif
    }
}

/* Numbers of the units with a positive value, ascending; returns how many. Most are 0 after a ReLU. */
#if defined(DDZ_DISPATCH)
__attribute__((target("avx512f"))) static int ddz_active_avx512(const float* x, int n, int32_t* out) {
    int found = 0;
    __m512i number = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (int i = 0; i < n; i += 16) {
        const __mmask16 mask = _mm512_cmp_ps_mask(_mm512_loadu_ps(x + i), _mm512_setzero_ps(), _CMP_GT_OQ);
        _mm512_storeu_si512(out + found, _mm512_maskz_compress_epi32(mask, number));
        found += __builtin_popcount(mask);
        number = _mm512_add_epi32(number, _mm512_set1_epi32(16));
    }
    return found;
}
#endif

static inline int ddz_active(const float* x, int n, int32_t* out) {
#if defined(DDZ_DISPATCH)
    if (__builtin_cpu_supports("avx512f")) return ddz_active_avx512(x, n, out);
#endif
    int found = 0;
    for (int i = 0; i < n; i++) {
        out[found] = i;
        found += x[i] > 0;
    }
    return found;
}

/* y[outs] = relu(bias + x[ins] w[ins][outs]) from the `n` positive units of x alone. */
DDZ_CLONES static void ddz_dense(float* y, const float* x, const int32_t* active, int n, const float* w, const float* bias,
                                 int outs) {
    for (int b = 0; b < outs; b += 32) {
#if defined(__GNUC__)
        ddz_v16 p0 = DDZ_LOAD(bias + b), q0 = DDZ_LOAD(bias + b + 16), p1 = {0}, q1 = {0}, p2 = {0}, q2 = {0}, p3 = {0},
                q3 = {0};
        int i = 0;
        for (; i + 4 <= n; i += 4) {
            const float *r0 = w + (int64_t)active[i] * outs + b, *r1 = w + (int64_t)active[i + 1] * outs + b,
                        *r2 = w + (int64_t)active[i + 2] * outs + b, *r3 = w + (int64_t)active[i + 3] * outs + b;
            const float x0 = x[active[i]], x1 = x[active[i + 1]], x2 = x[active[i + 2]], x3 = x[active[i + 3]];
            p0 += DDZ_LOAD(r0) * x0; q0 += DDZ_LOAD(r0 + 16) * x0;
            p1 += DDZ_LOAD(r1) * x1; q1 += DDZ_LOAD(r1 + 16) * x1;
            p2 += DDZ_LOAD(r2) * x2; q2 += DDZ_LOAD(r2 + 16) * x2;
            p3 += DDZ_LOAD(r3) * x3; q3 += DDZ_LOAD(r3 + 16) * x3;
        }
        for (; i < n; i++) {
            const float* r = w + (int64_t)active[i] * outs + b;
            p0 += DDZ_LOAD(r) * x[active[i]]; q0 += DDZ_LOAD(r + 16) * x[active[i]];
        }
        p0 += p1 + (p2 + p3); q0 += q1 + (q2 + q3);
        DDZ_STORE(y + b, DDZ_RELU(p0)); DDZ_STORE(y + b + 16, DDZ_RELU(q0));
#else
        for (int j = b; j < b + 32; j++) {
            float s = bias[j];
            for (int i = 0; i < n; i++) s += x[active[i]] * w[(int64_t)active[i] * outs + j];
            y[j] = s > 0 ? s : 0;
        }
#endif
    }
}

/* out = the products of x with three rows of w. */
DDZ_CLONES static void ddz_three_dots(float* out, const float* x, const float* w, int n) {
    float s[3][16] = {{0}};
#if defined(__GNUC__)
    ddz_v16 p = {0}, q = {0}, r = {0};
    for (int i = 0; i < n; i += 16) {
        const ddz_v16 value = DDZ_LOAD(x + i);
        p += value * DDZ_LOAD(w + i);
        q += value * DDZ_LOAD(w + n + i);
        r += value * DDZ_LOAD(w + 2 * n + i);
    }
    DDZ_STORE(s[0], p); DDZ_STORE(s[1], q); DDZ_STORE(s[2], r);
#else
    for (int i = 0; i < n; i += 16)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 16; j++) s[k][j] += x[i + j] * w[k * n + i + j];
#endif
    for (int k = 0; k < 3; k++) {
        for (int j = 8; j > 0; j /= 2)
            for (int i = 0; i < j; i++) s[k][i] += s[k][i + j];
        out[k] = s[k][0];
    }
}

/* d1 = gradient of the first layer's sums; g2t += outer product d2 x1. w2t and g2t are transposed: [outs][ins]. */
DDZ_CLONES static void ddz_dense_back(float* d1, float* g2t, const float* w2t, const float* x1, const float* d2, int ins,
                                      int outs) {
    for (int i = 0; i < ins; i++) d1[i] = 0;
    for (int j = 0; j < outs; j++) {
        const float d = d2[j];
        if (d == 0) continue;
        const float* w = w2t + (int64_t)j * ins;
        float* g = g2t + (int64_t)j * ins;
        for (int i = 0; i < ins; i++) {
            d1[i] += d * w[i];
            g[i] += d * x1[i];
        }
    }
    for (int i = 0; i < ins; i++) d1[i] = x1[i] > 0 ? d1[i] : 0;
}

/* Adds d to each listed row of g. */
DDZ_CLONES static void ddz_scatter(float* g, const uint16_t* rows, int n, const float* d, int width) {
    for (int i = 0; i < n; i++) {
        float* row = g + (int64_t)rows[i] * width;
        for (int j = 0; j < width; j++) row[j] += d[j];
    }
}

/* One Adam step on n parameters; `rate` includes the bias corrections. The gradient is cleared.
   Moments that fade away (of units that are never on) become 0 before they are denormal, which the processor is slow at. */
DDZ_CLONES static void ddz_adam(float* w, float* m, float* v, float* g, int64_t n, float scale, float rate, float beta1,
                                float beta2, float epsilon) {
    for (int64_t i = 0; i < n; i++) {
        const float d = g[i] * scale;
        const float mean = beta1 * m[i] + (1 - beta1) * d;
        const float square = beta2 * v[i] + (1 - beta2) * d * d;
        m[i] = fabsf(mean) < DDZ_FADED ? 0 : mean;
        v[i] = square < DDZ_FADED ? 0 : square;
        w[i] -= rate * mean / (sqrtf(square) + epsilon);
        g[i] = 0;
    }
}

/* Moves the running average a towards w by the given share. */
DDZ_CLONES static void ddz_average(float* a, const float* w, int64_t n, float share) {
    for (int64_t i = 0; i < n; i++) a[i] += share * (w[i] - a[i]);
}

#endif
