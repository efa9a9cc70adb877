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

double ucb(const double *means, int K, int64_t T) {
  double s[MAX_ARMS] = {0};
  int64_t n[MAX_ARMS] = {0};
  double mu[MAX_ARMS], width[MAX_ARMS];
  for (int64_t t = 1; t <= T; t++) {
    int a = (int)t - 1;
    if (t > K) {
      double c = sqrt(2 * log((double)t)), best = -INFINITY;
      for (int b = 0; b < K; b++) {
        double index = mu[b] + c * width[b];
        if (index > best) { best = index; a = b; }
      }
    }
    s[a] += uniform() < means[a];
    n[a]++;
    mu[a] = s[a] / n[a];
    width[a] = sqrt(1.0 / n[a]);
  }
  return regret(means, K, n);
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

double dp_ucb(const double *means, int K, int64_t T, double epsilon) {
  double s[MAX_ARMS] = {0}, noise[MAX_ARMS] = {0};
  int64_t n[MAX_ARMS] = {0};
  hybrid h = new_hybrid(epsilon);
  for (int64_t t = 1; t <= T; t++) {
    int a = (int)t - 1;
    if (t > K) {
      double c = sqrt(2 * log((double)t)), best = -INFINITY;
      for (int b = 0; b < K; b++) {
        double index = (s[b] + noise[b]) / n[b] + c * sqrt(1.0 / n[b]);
        if (index > best) { best = index; a = b; }
      }
    }
    s[a] += uniform() < means[a];
    n[a]++;
    for (int b = 0; b < K; b++) noise[b] = hybrid_noise(&h, b, t);
  }
  return regret(means, K, n);
}

double private_ucb(const double *means, int K, int64_t T, double epsilon) {
  double s[MAX_ARMS] = {0}, mu[MAX_ARMS], width[MAX_ARMS], slack[MAX_ARMS], memory[MAX_ARMS][64];
  int64_t n[MAX_ARMS] = {0};
  double eps0 = epsilon / K, l = log((double)T), scale = (floor(log2((double)T)) + 1) / eps0;
  memset(memory, 0, sizeof memory);
  for (int64_t t = 1; t <= T; t++) {
    int a = (int)t - 1;
    if (t > K) {
      double c = sqrt(2 * log((double)t)), G = l * l * (log(K * T * l) + 4 * log((double)t)) / eps0, best = -INFINITY;
      for (int b = 0; b < K; b++) {
        double index = mu[b] + c * width[b] + G * slack[b];
        if (index > best) { best = index; a = b; }
      }
    }
    s[a] += uniform() < means[a];
    n[a]++;
    mu[a] = (s[a] + tree(n[a], memory[a], scale)) / n[a];
    width[a] = sqrt(1.0 / n[a]);
    slack[a] = 1.0 / n[a];
  }
  return regret(means, K, n);
}

/* The schedule (update counts up to T) is computed by the caller, as it is for the kernel. */
double dp_ucb_int(const double *means, int K, int64_t T, double v, const int64_t *updates, int64_t number) {
  double s[MAX_ARMS] = {0}, x[MAX_ARMS] = {0}, mu[MAX_ARMS] = {0}, width[MAX_ARMS] = {0};
  int64_t n[MAX_ARMS] = {0}, next[MAX_ARMS] = {0};
  int at[MAX_ARMS] = {0}, arrived[MAX_ARMS] = {0};
  int64_t robin = K * updates[0];
  for (int64_t t = 1; t <= T; t++) {
    int a = (int)((t - 1) % K);
    if (t > robin) {
      double c = sqrt(2 * log((double)t));
      for (int b = 0; b < K; b++) {
        if (arrived[b]) {
          mu[b] = s[b] / n[b] + laplace(pow((double)n[b], v / 2 - 1));
          width[b] = sqrt(1.0 / n[b]);
          arrived[b] = 0;
        }
        if (at[b]) x[b] = mu[b] + c * width[b];
      }
      a = 0;
      for (int b = 1; b < K; b++) if (x[b] > x[a]) a = b;
    }
    s[a] += uniform() < means[a];
    n[a]++;
    at[a] = next[a] < number && n[a] == updates[next[a]];
    if (at[a]) { arrived[a] = 1; next[a]++; }
  }
  return regret(means, K, n);
}

double private_ucb_tuned(const double *means, int K, int64_t T, double epsilon) {
  double s[MAX_ARMS] = {0}, mu[MAX_ARMS], width[MAX_ARMS], slack[MAX_ARMS], memory[MAX_ARMS][64];
  int64_t n[MAX_ARMS] = {0};
  double scale = (floor(log2((double)T)) + 1) * K / epsilon;
  memset(memory, 0, sizeof memory);
  for (int64_t t = 1; t <= T; t++) {
    int a = (int)t - 1;
    if (t > K) {
      double l = log((double)t), c = sqrt(l), best = -INFINITY;
      for (int b = 0; b < K; b++) {
        double index = mu[b] + c * width[b] + l * slack[b];
        if (index > best) { best = index; a = b; }
      }
    }
    s[a] += uniform() < means[a];
    n[a]++;
    double r = fmin(fmax(s[a] + tree(n[a], memory[a], scale), 0), n[a]);
    mu[a] = r / n[a];
    width[a] = sqrt(r) / n[a];
    slack[a] = 1.0 / n[a];
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

static double thompson_rounds(const double *means, int K, int64_t t, int64_t T, double *s, double *noise, int64_t *n,
                              int64_t leaf, double scale, double memory[MAX_ARMS][64]) {
  int64_t leaves[MAX_ARMS];
  for (int b = 0; b < K; b++) leaves[b] = leaf;
  for (; t < T; t++) {
    double best = -1;
    int a = 0;
    for (int b = 0; b < K; b++) {
      double r = fmin(fmax(s[b] + noise[b], 0), n[b]), theta = beta_of(r + 1, n[b] - r + 1);
      if (theta > best) { best = theta; a = b; }
    }
    s[a] += uniform() < means[a];
    n[a]++;
    if (scale > 0) noise[a] = tree(++leaves[a], memory[a], scale);
  }
  return regret(means, K, n);
}

double thompson(const double *means, int K, int64_t T) {
  double s[MAX_ARMS] = {0}, noise[MAX_ARMS] = {0}, memory[MAX_ARMS][64];
  int64_t n[MAX_ARMS] = {0};
  return thompson_rounds(means, K, 0, T, s, noise, n, 0, 0, memory);
}

double private_thompson(const double *means, int K, int64_t T, double epsilon) {
  double s[MAX_ARMS], noise[MAX_ARMS], memory[MAX_ARMS][64], scale = (floor(log2((double)T)) + 1) * 2 * K / epsilon;
  int64_t n[MAX_ARMS], m = (int64_t)ceil(6 * scale);
  memset(memory, 0, sizeof memory);
  for (int a = 0; a < K; a++) {
    n[a] = K * m < T ? m : T / K;
    s[a] = 0;
    for (int64_t i = 0; i < n[a]; i++) s[a] += uniform() < means[a];
    noise[a] = tree(1, memory[a], scale);
  }
  return thompson_rounds(means, K, K * m, T, s, noise, n, 1, scale, memory);
}

/* Games: the player's loop on a T x K table of gains. As in the kernels only the played arm's weight is computed anew, and
   all are rebuilt every 1024 updates. Each returns the gain received. */
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

double exp3(const uint8_t *gains, int K, int64_t T, double gamma) {
  Weights x = {.age = 0};
  double p, total = 0;
  rebuild(&x, K, gamma);
  for (int64_t t = 0; t < T; t++) {
    int a = choose(&x, K, gamma, &p);
    double g = gains[t * K + a];
    total += g;
    learn(&x, K, gamma, a, g / p);
  }
  return total;
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

double exp3_tau(const uint8_t *gains, int K, int64_t T, double gamma, int64_t tau) {
  Weights x = {.age = 0};
  double p, total = 0;
  rebuild(&x, K, gamma);
  for (int64_t start = 0; start < T; start += tau) {
    int a = choose(&x, K, gamma, &p);
    double batch = 0;
    for (int64_t t = start; t < start + tau && t < T; t++) batch += gains[t * K + a];
    total += batch;
    if (start + tau <= T) learn(&x, K, gamma, a, batch / tau / p);
  }
  return total;
}

static double kl(double p, double q) {
  double total = 0;
  if (p > 0) total += p * log(p / q);
  if (p < 1) total += (1 - p) * log((1 - p) / (1 - q));
  return total;
}

static double kl_index(double x, double budget) {
  if (x >= 1) return 1;
  if (x <= 0) return -expm1(-budget);
  double low = x, high = fmin(1, x + sqrt(budget / 2));
  for (int i = 0; i < 50 && high - low >= 1e-12; i++) {
    double middle = (low + high) / 2;
    if (kl(x, middle) <= budget) low = middle; else high = middle;
  }
  return low;
}

/* Algorithm 1 of Azize & Basu with either index; every reward is drawn by itself. */
static double episodes(const double *means, int K, int64_t T, double epsilon, double alpha, int with_kl) {
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
      double B = L / (epsilon * h[b]);
      double index = with_kl ? kl_index(fmin(fmax(mu[b] + B, 0), 1), L / h[b]) : mu[b] + sqrt(L / (2 * h[b])) + B;
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

double adap_ucb(const double *means, int K, int64_t T, double epsilon, double alpha) {
  return episodes(means, K, T, epsilon, alpha, 0);
}

double adap_klucb(const double *means, int K, int64_t T, double epsilon, double alpha) {
  return episodes(means, K, T, epsilon, alpha, 1);
}

/* DP-SE. */
double dp_se(const double *means, int K, int64_t T, double epsilon) {
  int alive[MAX_ARMS], left = K, e = 0;
  int64_t n[MAX_ARMS] = {0}, t = 0;
  for (int a = 0; a < K; a++) alive[a] = a;
  while (left > 1 && t < T) {
    e++;
    double D = pow(2, -e), log8 = log(8.0 * left * e * e * T), log4 = log(4.0 * left * e * e * T);
    double s[MAX_ARMS] = {0}, mu[MAX_ARMS], best = -INFINITY;
    int64_t R = (int64_t)fmax(32 * log8 / (D * D), 8 * log4 / (epsilon * D)) + 1;
    for (int64_t r = 0; r < R; r++)
      for (int i = 0; i < left && t < T; i++, t++) {
        s[alive[i]] += uniform() < means[alive[i]];
        n[alive[i]]++;
      }
    if (t == T) break;
    for (int i = 0; i < left; i++) {
      mu[i] = s[alive[i]] / R + laplace(1 / (epsilon * R));
      best = fmax(best, mu[i]);
    }
    double limit = 2 * sqrt(log8 / (2.0 * R)) + 2 * log4 / (R * epsilon);
    int kept = 0;
    for (int i = 0; i < left; i++)
      if (best - mu[i] <= limit) alive[kept++] = alive[i];
    left = kept;
  }
  for (double s = 0; t < T; t++) {
    s += uniform() < means[alive[0]];
    n[alive[0]]++;
  }
  return regret(means, K, n);
}

/* sarkar2025: c = 3, alpha = 3.1, epsilon = 0.2, the corrected reading. Every index in every round, every reward by itself. */
#define EPS 0.2

static inline double clip(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static inline int any_arm(int K) { return (int)(K * uniform()); }

double ncb(const double *means, int K, int64_t T) {
  double s[MAX_ARMS] = {0}, L = log((double)T), most = 0;
  int64_t n[MAX_ARMS] = {0};
  for (int64_t t = 0; t < T; t++) {
    int a = 0;
    if (most <= 9 * L) a = any_arm(K);
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

double gdp_ncb(const double *means, int K, int64_t T) {
  double s[MAX_ARMS] = {0}, mu[MAX_ARMS] = {0};
  int64_t n[MAX_ARMS] = {0}, N1[MAX_ARMS] = {0}, N2[MAX_ARMS], W = (int64_t)sqrt((double)T) + 1, t;
  double L = log((double)W), bonus = 3.1 * L * L / EPS + 4 * sqrt(6.2) * pow(L, 1.5) / sqrt(EPS);
  for (t = 0; t < W; t++) {
    int a = any_arm(K);
    s[a] += uniform() < means[a];
    N1[a]++;
    n[a]++;
  }
  for (int a = 0; a < K; a++) N2[a] = 1;
  while (t < T) {
    int a = 0;
    double best = -1, S = 0;
    for (int b = 0; b < K; b++) {
      double m = N1[b] + N2[b], index = mu[b] + 6 * sqrt(2 * mu[b] * L / m) + bonus / m;
      if (index > best) { best = index; a = b; }
    }
    int64_t m = 2 * N2[a] < T - t ? 2 * N2[a] : T - t;
    for (int64_t i = 0; i < m; i++) S += uniform() < means[a];
    double all = N1[a] + m;
    mu[a] = clip((s[a] + S) / all + laplace(log2((double)T) / (EPS * all)));
    N2[a] = m;
    n[a] += m;
    t += m;
  }
  return regret(means, K, n);
}

double ldp_ncb(const double *means, int K, int64_t T) {
  double s[MAX_ARMS] = {0}, L = log((double)T);
  int64_t n[MAX_ARMS] = {0}, W = (int64_t)sqrt((double)T) + 1;
  double noise = sqrt(8 * 3.1 * L) / EPS, mixed = 12 * pow(6.2, 0.25) * pow(log((double)W), 0.75) / sqrt(EPS);
  for (int64_t t = 0; t < T; t++) {
    int a = 0;
    if (t <= W) a = any_arm(K);
    else {
      double best = -1;
      for (int b = 0; b < K; b++) {
        double mu = clip(s[b] / n[b]);
        double index = n[b] ? mu + 6 * sqrt(2 * mu * L / n[b]) + noise / sqrt((double)n[b]) + mixed / pow((double)n[b], 0.75) : INFINITY;
        if (index > best) { best = index; a = b; }
      }
    }
    s[a] += (uniform() < means[a]) + laplace(1 / EPS);
    n[a]++;
  }
  return regret(means, K, n);
}

static double ldp_ucb_of(const double *means, int K, int64_t T, int clipped) {
  double s[MAX_ARMS] = {0};
  int64_t n[MAX_ARMS] = {0};
  for (int64_t t = 1; t <= T; t++) {
    double L = log((double)t), c = sqrt(2 * L) + sqrt(32 * L) / EPS, best = -INFINITY;
    int a = (int)t - 1;
    if (t > K) {
      a = -1;
      for (int b = 0; b < K && a < 0; b++) if (n[b] <= 4 * L) a = b;
      if (a < 0) for (int b = 0; b < K; b++) {
        double index = s[b] / n[b] + c / sqrt((double)n[b]);
        if (index > best) { best = index; a = b; }
      }
    }
    double x = (uniform() < means[a]) + laplace(1 / EPS);
    s[a] += clipped ? clip(x) : x;
    n[a]++;
  }
  return regret(means, K, n);
}

double ldp_ucb(const double *means, int K, int64_t T) { return ldp_ucb_of(means, K, T, 0); }

double ldp_ucb_clipped(const double *means, int K, int64_t T) { return ldp_ucb_of(means, K, T, 1); }
