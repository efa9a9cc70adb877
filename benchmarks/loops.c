/* The limit that the kernels are measured against: the same policies, round by round, in C with the same generator
   (SFC64) and the same way to a Laplace number, inlined. No short cut over rounds; every index is computed in every round. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARMS 64
#define LEVELS 48

static uint64_t state[4];

static inline uint64_t next_bits(void) {
  uint64_t word = state[0] + state[1] + state[3]++;
  state[0] = state[1] ^ (state[1] >> 11);
  state[1] = state[2] + (state[2] << 3);
  state[2] = ((state[2] << 24) | (state[2] >> 40)) + word;
  return word;
}

static inline double uniform(void) { return (next_bits() >> 11) * 0x1.0p-53; }

/* The tables of NumPy's ziggurat for exponential numbers, which Python sets. */
static double widths[256], heights[256], tail;
static uint64_t inside[256];

void ziggurat(const double *w, const uint64_t *i, const double *h, double t) {
  memcpy(widths, w, sizeof widths);
  memcpy(inside, i, sizeof inside);
  memcpy(heights, h, sizeof heights);
  tail = t;
}

static __attribute__((noinline)) double outside(int strip, double size) {
  for (;;) {
    if (strip == 0) return tail - log1p(-uniform());
    if ((heights[strip - 1] - heights[strip]) * uniform() + heights[strip] < exp(-size)) return size;
    uint64_t word = next_bits() >> 3;
    strip = word & 255;
    size = (double)(int64_t)(word >> 8) * widths[strip];
    if (word >> 8 < inside[strip]) return size;
  }
}

static inline double laplace(double scale) {
  uint64_t bits = next_bits(), word = bits >> 3;
  int strip = word & 255;
  double size = (double)(int64_t)(word >> 8) * widths[strip];
  if (__builtin_expect(word >> 8 >= inside[strip], 0)) size = outside(strip, size);
  return bits & 1 ? -scale * size : scale * size;
}

void seed(uint64_t s) {
  for (int i = 0; i < 4; i++) {
    s += 0x9e3779b97f4a7c15ULL;
    uint64_t z = s;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    state[i] = z ^ (z >> 31);
  }
}

static double regret(const double *means, int K, const int64_t *n) {
  double best = 0, total = 0;
  for (int a = 0; a < K; a++) best = fmax(best, means[a]);
  for (int a = 0; a < K; a++) total += (best - means[a]) * n[a];
  return total;
}

/* Noise of prefix n of a binary tree. */
static inline double tree(int64_t n, double *memory, double scale) {
  int64_t parent = n & (n - 1);
  double noise = parent ? memory[__builtin_ctzll(parent)] : 0.0;
  noise += laplace(scale);
  memory[__builtin_ctzll(n)] = noise;
  return noise;
}

typedef struct { double total_scale, node_scale, total[MAX_ARMS], memory[MAX_ARMS][LEVELS]; int level[MAX_ARMS]; } hybrid;

static hybrid new_hybrid(double epsilon) {
  hybrid h;
  memset(&h, 0, sizeof h);
  h.total_scale = h.node_scale = 2 / epsilon;
  for (int a = 0; a < MAX_ARMS; a++) h.level[a] = -1;
  return h;
}

static inline double hybrid_noise(hybrid *h, int a, int64_t n) {
  int k = h->level[a];
  if (n == (int64_t)1 << (k + 1)) {
    h->level[a] = k + 1;
    return h->total[a] += laplace(h->total_scale);
  }
  return h->total[a] + tree(n - ((int64_t)1 << k), h->memory[a], k * h->node_scale);
}

double dp_ucb_bound(const double *means, int K, int64_t T, double epsilon) {
  double s[MAX_ARMS] = {0}, mu[MAX_ARMS], width[MAX_ARMS], slack[MAX_ARMS];
  int64_t n[MAX_ARMS] = {0};
  hybrid h = new_hybrid(epsilon);
  for (int64_t t = 1; t <= T; t++) {
    int a = (int)t - 1;
    if (t > K) {
      double l = log((double)t), c = sqrt(2 * l), nu = sqrt(8) / epsilon * (log(4) + 4 * l), best = -INFINITY;
      for (int b = 0; b < K; b++) {
        double index = mu[b] + c * width[b] + nu * slack[b];
        if (index > best) { best = index; a = b; }
      }
    }
    s[a] += uniform() < means[a];
    n[a]++;
    mu[a] = (s[a] + hybrid_noise(&h, a, n[a])) / n[a];
    width[a] = sqrt(1.0 / n[a]);
    slack[a] = ((n[a] & (n[a] - 1)) == 0 ? 1.0 : log((double)n[a]) + 1) / n[a];
  }
  return regret(means, K, n);
}

/* Marsaglia's polar method. */
static inline double normal(void) {
  static double kept;
  static int has = 0;
  if (has) { has = 0; return kept; }
  double u, v, q;
  do { u = 2 * uniform() - 1; v = 2 * uniform() - 1; q = u * u + v * v; } while (q >= 1);
  q = sqrt(-2 * log(q) / q);
  kept = v * q;
  has = 1;
  return u * q;
}

/* Marsaglia & Tsang, shape at least 1. */
static inline double gamma_of(double shape) {
  double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
  for (;;) {
    double x = normal(), v = 1 + c * x, u;
    if (v <= 0) continue;
    v = v * v * v;
    u = uniform();
    if (u < 1 - 0.0331 * x * x * x * x || log(u) < 0.5 * x * x + d * (1 - v + log(v))) return d * v;
  }
}

static inline double beta_of(double a, double b) {
  double x = gamma_of(a);
  return x / (x + gamma_of(b));
}

double thompson(const double *means, int K, int64_t T) {
  int64_t s[MAX_ARMS] = {0}, n[MAX_ARMS] = {0};
  for (int64_t t = 0; t < T; t++) {
    double best = -1;
    int a = 0;
    for (int b = 0; b < K; b++) {
      double theta = beta_of(s[b] + 1, n[b] - s[b] + 1);
      if (theta > best) { best = theta; a = b; }
    }
    s[a] += uniform() < means[a];
    n[a]++;
  }
  return regret(means, K, n);
}

/* Algorithm 1 of Azize & Basu; every reward is drawn by itself. */
double adap_ucb(const double *means, int K, int64_t T, double epsilon, double alpha) {
  double mu[MAX_ARMS], h[MAX_ARMS];
  int64_t n[MAX_ARMS], t = K;
  for (int a = 0; a < K; a++) {
    mu[a] = (uniform() < means[a]) + laplace(1 / epsilon);
    h[a] = n[a] = 1;
  }
  while (t < T) {
    double L = alpha * log((double)t + 1), best = -INFINITY, s = 0;
    int a = 0;
    for (int b = 0; b < K; b++) {
      double index = mu[b] + sqrt(L / (2 * h[b])) + L / (epsilon * h[b]);
      if (index > best) { best = index; a = b; }
    }
    int64_t m = n[a] < T - t ? n[a] : T - t;
    for (int64_t i = 0; i < m; i++) s += uniform() < means[a];
    mu[a] = s / m + laplace(1 / (epsilon * m));
    h[a] = m;
    n[a] += m;
    t += m;
  }
  return regret(means, K, n);
}

/* sarkar2025: c = 3. */
double ncb(const double *means, int K, int64_t T) {
  double s[MAX_ARMS] = {0}, L = log((double)T), most = 0;
  int64_t n[MAX_ARMS] = {0};
  for (int64_t t = 0; t < T; t++) {
    int a = 0;
    if (most <= 9 * L) a = (int)(K * uniform());
    else {
      double best = -1;
      for (int b = 0; b < K; b++) {
        double mu = s[b] / n[b], index = n[b] ? mu + 6 * sqrt(2 * mu * L / n[b]) : INFINITY;
        if (index > best) { best = index; a = b; }
      }
    }
    s[a] += uniform() < means[a];
    n[a]++;
    most = fmax(most, s[a]);
  }
  return regret(means, K, n);
}

/* Chowdhury & Zhou's LDP-UCB with clipped reports, as sarkar2025's code has it. */
double ldp_ucb_clipped(const double *means, int K, int64_t T, double epsilon) {
  double s[MAX_ARMS] = {0};
  int64_t n[MAX_ARMS] = {0};
  for (int64_t t = 1; t <= T; t++) {
    double L = log((double)t), c = sqrt(2 * L) + sqrt(32 * L) / epsilon, best = -INFINITY;
    int a = (int)t - 1;
    if (t > K) {
      a = -1;
      for (int b = 0; b < K && a < 0; b++) if (n[b] <= 4 * L) a = b;
      if (a < 0) for (int b = 0; b < K; b++) {
        double index = s[b] / n[b] + c / sqrt((double)n[b]);
        if (index > best) { best = index; a = b; }
      }
    }
    double x = (uniform() < means[a]) + laplace(1 / epsilon);
    s[a] += x < 0 ? 0 : x > 1 ? 1 : x;
    n[a]++;
  }
  return regret(means, K, n);
}

/* Games: the player's loop on a T x K table of gains. As in the kernels only the played arm's weight is computed anew, and
   all are rebuilt every 1024 updates. Returned is the gain received. */
typedef struct {
  double G[MAX_ARMS], w[MAX_ARMS], sum, reference;
  int age;
} Weights;

static void rebuild(Weights *x, int K, double gamma) {
  x->reference = x->G[0];
  for (int i = 1; i < K; i++) if (x->G[i] > x->reference) x->reference = x->G[i];
  x->sum = 0;
  for (int i = 0; i < K; i++) x->sum += x->w[i] = exp(gamma / K * (x->G[i] - x->reference));
  x->age = 0;
}

static inline int choose(const Weights *x, int K, double gamma, double *p) {
  double scale = (1 - gamma) / x->sum, explore = gamma / K, left = uniform();
  int i = 0;
  for (*p = scale * x->w[0] + explore; i < K - 1 && left >= *p; *p = scale * x->w[++i] + explore) left -= *p;
  return i;
}

static inline void learn(Weights *x, int K, double gamma, int a, double gain) {
  x->G[a] += gain;
  double now = exp(gamma / K * (x->G[a] - x->reference));
  x->sum += now - x->w[a];
  x->w[a] = now;
  if (x->sum > 1e30 || ++x->age == 1024) rebuild(x, K, gamma);
}

double dp_exp3_lap(const uint8_t *gains, int K, int64_t T, double gamma, double epsilon) {
  Weights x = {.age = 0};
  double p, total = 0, b = log((double)T) / epsilon;
  rebuild(&x, K, gamma);
  for (int64_t t = 0; t < T; t++) {
    int a = choose(&x, K, gamma, &p);
    double g = gains[t * K + a], r = g + laplace(1 / epsilon);
    total += g;
    if (r >= -b && r <= b + 1) learn(&x, K, gamma, a, (r + b) / (2 * b + 1) / p);
  }
  return total;
}
