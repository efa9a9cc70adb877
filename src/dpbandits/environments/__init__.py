"""The bandits that algorithms play. One module a kind: `environment: {kind: bernoulli, ...}` in a paper file is the
function `bernoulli` of the module `dpbandits.environments.bernoulli`, called with the other keys.

It returns an object with

    number_of_arms, gaps            gaps: mu* - mu_a of every arm, where the arms have means
    check(horizon)                  optional: raises InputError for a horizon that this kind cannot use
    begin(rng, horizon, t)          -> (world, journal) of one run: what a kernel plays, and what it writes into

    host(play, rng_of_environment, rng, horizon, t)  instead of `begin`, for a run of more than one game: it calls
                                    play(rng, world, horizon, journal) as often as it likes and gives the curves itself

where `rng` is the run's own stream for the environment, the same for every policy of the experiment, so that policies
can be given the same game; `t` are the checkpoints; and `journal.results()` gives the curves of the run by name, the
regret at the checkpoints among them.
"""
