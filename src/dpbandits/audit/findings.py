"""The words of the tables of audits and replays, for modules that need no games."""

# Within: the bound is below the promise, and games without noise give a bound above it.
# No power: games without noise give no bound above it, so the bound says nothing. A reason follows.
# Above: the bound refutes the promise, or the ledger.
WITHIN, NO_POWER, ABOVE_PROMISE, ABOVE_LEDGER = (
    "within",
    "no power",
    "above the promise",
    "above the ledger",
)
ALARMS = (ABOVE_PROMISE, ABOVE_LEDGER)
NOT_AUDITED = "not audited"  # followed by the reason; such a row has no measured epsilon
# Text columns. The others are numbers.
TEXTS = ("study", "policy", "label", "reading", "mechanism")
TEXTS += ("channel", "event", "pair", "finding")

# Of replays; any other finding is a fault of the ledger or of the code.
AS_BOOKED, NOTHING_RELEASED = "as booked", "no release depends on a reward"
NOT_PRIVATE, NOT_REPLAYED = "not private", "not replayed"  # followed by the reason
NO_FAULTS = (AS_BOOKED, NOTHING_RELEASED, NOT_PRIVATE, NOT_REPLAYED)
REPLAY_TEXTS = ("study", "policy", "label", "reading", "mechanism", "changes", "finding")
