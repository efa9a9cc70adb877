"""What one gain costs in EXP3's later actions: a log-ratio of at most 1 per round; tossou2017's Theorem 3.3 has 2.

Two games differ in one gain, and the actions are the same in both. Let x_i and y_i be the exponents (gamma/K) G_i in one game and
in the other, p_i and q_i the probabilities of the arms, D_i = x_i - y_i, M = max D and m = min D. Always p_i, q_i >= gamma/K.

(1) |ln p_i/q_i| <= M - m. Without exploration p_i/q_i = e^(D_i) sum_j e^(y_j) / sum_j e^(y_j + D_j), which is between
    e^(D_i - M) <= 1 and e^(D_i - m) >= 1; equal shares of exploration in both only move the ratio towards 1.
(2) After the changed gain M - m <= 1: until then p = q, so that D_i of the played arm i becomes at most (gamma/K)/p_i <= 1 in
    absolute value, and the others are 0. With a batch of tau rounds the mean gain changes by 1/tau at most, and M - m <= 1/tau.
(3) M - m never grows. If arm i is played and gains g in [0, 1], D_i changes by (gamma/K) g (1/p_i - 1/q_i). If p_i < q_i, it rises by
    at most ((gamma/K)/p_i) (1 - p_i/q_i) <= 1 - p_i/q_i <= 1 - e^(D_i - M) <= M - D_i, by (1), so that it stays at most M. If
    p_i > q_i, it falls by at most 1 - q_i/p_i <= 1 - e^(m - D_i) <= D_i - m, and stays at least m.

So every later round (or batch) has a loss of at most 1 (or 1/tau), given all earlier actions; an action before the change has none.
"""
