/* The few loops of the network that must be fast. Widths are multiples of 64 (first layer) and 32 (second layer).

   With GCC or Clang the loops use vector extensions and, on x86-64 Linux, are compiled once for each instruction set and
   picked at load time; elsewhere the compiler's default target is used. MSVC gets the plain loops. */
#ifndef DDZ_KERNELS_H
#define DDZ_KERNELS_H

#include <math.h>
#include <stdint.h>

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) \
    && !defined(DDZ_NO_DISPATCH)
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

/* y[n][outs] = relu(bias + x[n][ins] w[ins][outs]). */
DDZ_CLONES static void ddz_dense(float* y, const float* x, const float* w, const float* bias, int n, int ins, int outs) {
    int k = 0;
#if defined(__GNUC__)
    for (; k + 4 <= n; k += 4) {
        const float *x0 = x + (int64_t)k * ins, *x1 = x0 + ins, *x2 = x1 + ins, *x3 = x2 + ins;
        for (int b = 0; b < outs; b += 32) {
            ddz_v16 a0 = DDZ_LOAD(bias + b), c0 = DDZ_LOAD(bias + b + 16);
            ddz_v16 a1 = a0, a2 = a0, a3 = a0, c1 = c0, c2 = c0, c3 = c0;
            const float* row = w + b;
            for (int i = 0; i < ins; i++, row += outs) {
                const ddz_v16 p = DDZ_LOAD(row), q = DDZ_LOAD(row + 16);
                a0 += p * x0[i]; c0 += q * x0[i];
                a1 += p * x1[i]; c1 += q * x1[i];
                a2 += p * x2[i]; c2 += q * x2[i];
                a3 += p * x3[i]; c3 += q * x3[i];
            }
            float* out = y + (int64_t)k * outs + b;
            DDZ_STORE(out, DDZ_RELU(a0)); DDZ_STORE(out + 16, DDZ_RELU(c0)); out += outs;
            DDZ_STORE(out, DDZ_RELU(a1)); DDZ_STORE(out + 16, DDZ_RELU(c1)); out += outs;
            DDZ_STORE(out, DDZ_RELU(a2)); DDZ_STORE(out + 16, DDZ_RELU(c2)); out += outs;
            DDZ_STORE(out, DDZ_RELU(a3)); DDZ_STORE(out + 16, DDZ_RELU(c3));
        }
    }
#endif
    for (; k < n; k++) {
        float* out = y + (int64_t)k * outs;
        for (int j = 0; j < outs; j++) out[j] = bias[j];
        for (int i = 0; i < ins; i++) {
            const float value = x[(int64_t)k * ins + i];
            if (value != 0)
                for (int j = 0; j < outs; j++) out[j] += value * w[(int64_t)i * outs + j];
        }
        for (int j = 0; j < outs; j++) out[j] = out[j] > 0 ? out[j] : 0;
    }
}

/* d1 = gradient of the first layer's sums; g2 += outer product x1 d2. w2t is the transposed second layer [outs][ins]. */
DDZ_CLONES static void ddz_dense_back(float* d1, float* g2, const float* w2t, const float* x1, const float* d2, int ins,
                                      int outs) {
    for (int i = 0; i < ins; i++) d1[i] = 0;
    for (int j = 0; j < outs; j++) {
        const float d = d2[j];
        if (d != 0)
            for (int i = 0; i < ins; i++) d1[i] += d * w2t[(int64_t)j * ins + i];
    }
    for (int i = 0; i < ins; i++) {
        const float value = x1[i];
        if (value > 0)
            for (int j = 0; j < outs; j++) g2[(int64_t)i * outs + j] += value * d2[j];
        else
            d1[i] = 0;
    }
}

/* Adds d to each listed row of g. */
DDZ_CLONES static void ddz_scatter(float* g, const uint16_t* rows, int n, const float* d, int width) {
    for (int i = 0; i < n; i++) {
        float* row = g + (int64_t)rows[i] * width;
        for (int j = 0; j < width; j++) row[j] += d[j];
    }
}

/* One Adam step on n parameters; `rate` includes the bias corrections. The gradient is cleared. */
DDZ_CLONES static void ddz_adam(float* w, float* m, float* v, float* g, int64_t n, float scale, float rate, float beta1,
                                float beta2, float epsilon) {
    for (int64_t i = 0; i < n; i++) {
        const float d = g[i] * scale;
        const float mean = beta1 * m[i] + (1 - beta1) * d;
        const float square = beta2 * v[i] + (1 - beta2) * d * d;
        m[i] = mean;
        v[i] = square;
        w[i] -= rate * mean / (sqrtf(square) + epsilon);
        g[i] = 0;
    }
}

/* Moves the running average a towards w by the given share. */
DDZ_CLONES static void ddz_average(float* a, const float* w, int64_t n, float share) {
    for (int64_t i = 0; i < n; i++) a[i] += share * (w[i] - a[i]);
}

#endif
