// The recurrences of the suite `scan` as a C programmer would write them: state in registers or L1, loops the compiler vectorizes.
// cc -O3 -march=native -ffast-math -shared -fPIC plain_scan.c. Each call does units [begin, end), so that threads can share the work.
#include <math.h>
#include <string.h>

enum { LANES = 8, STATE = 16, HEAD = 128, COLUMNS = 32 };

static inline float exponential(float x) {  // 2^k times a Taylor polynomial on [-ln 2 / 2, ln 2 / 2]
    x = x < -87.0f ? -87.0f : x;
    float k = floorf(x * 1.4426950408889634f + 0.5f);
    float r = (x - k * 0.693145751953125f) - k * 1.4286068203094172e-6f;
    float p = 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    union { int bits; float value; } power = {((int)k + 127) << 23};
    return p * power.value;
}

// x, delta, y: [steps, channels]; a: [channels, STATE]; b, c: [steps, STATE]. A unit is LANES channels.
void selective_scan(const float *restrict x, const float *restrict delta, const float *restrict a, const float *restrict b,
                    const float *restrict c, float *restrict y, long steps, long channels, long begin, long end) {
    for (long unit = begin; unit < end; unit++) {
        long first = unit * LANES;
        float state[STATE][LANES] = {{0}}, decay[STATE][LANES];
        for (int n = 0; n < STATE; n++)
            for (int lane = 0; lane < LANES; lane++) decay[n][lane] = a[(first + lane) * STATE + n];
        for (long t = 0; t < steps; t++) {
            float step[LANES], drive[LANES], sum[LANES] = {0};
            for (int lane = 0; lane < LANES; lane++) {
                step[lane] = delta[t * channels + first + lane];
                drive[lane] = step[lane] * x[t * channels + first + lane];
            }
            for (int n = 0; n < STATE; n++) {
                float in = b[t * STATE + n], out = c[t * STATE + n];
                for (int lane = 0; lane < LANES; lane++) {
                    float s = state[n][lane] * exponential(step[lane] * decay[n][lane]) + drive[lane] * in;
                    state[n][lane] = s;
                    sum[lane] += s * out;
                }
            }
            for (int lane = 0; lane < LANES; lane++) y[t * channels + first + lane] = sum[lane];
        }
    }
}

// q, k, v, o: [steps, heads, HEAD]; g, beta: [steps, heads]. A unit is COLUMNS columns of one head's state.
void gated_delta_net(const float *restrict q, const float *restrict k, const float *restrict v, const float *restrict g,
                     const float *restrict beta, float *restrict o, long steps, long heads, long begin, long end) {
    for (long unit = begin; unit < end; unit++) {
        long head = unit / (HEAD / COLUMNS), column = unit % (HEAD / COLUMNS) * COLUMNS;
        float state[HEAD][COLUMNS];
        memset(state, 0, sizeof state);
        for (long t = 0; t < steps; t++) {
            const float *key = k + (t * heads + head) * HEAD, *query = q + (t * heads + head) * HEAD;
            const float *value = v + (t * heads + head) * HEAD + column;
            float *result = o + (t * heads + head) * HEAD + column;
            float shrink = expf(g[t * heads + head]), rate = beta[t * heads + head];
            float read[COLUMNS] = {0}, change[COLUMNS], sum[COLUMNS] = {0};
            for (int i = 0; i < HEAD; i++)
                for (int j = 0; j < COLUMNS; j++) read[j] += state[i][j] * key[i];
            for (int j = 0; j < COLUMNS; j++) change[j] = (value[j] - read[j] * shrink) * rate;
            for (int i = 0; i < HEAD; i++)
                for (int j = 0; j < COLUMNS; j++) {
                    float s = state[i][j] * shrink + key[i] * change[j];
                    state[i][j] = s;
                    sum[j] += s * query[i];
                }
            for (int j = 0; j < COLUMNS; j++) result[j] = sum[j] * 0.08838834764831845f;  // 1 / sqrt(128)
        }
    }
}
