"""What an audit can find: the words of its table, for those who need no games."""

# In order: no bound above the promise, though games without noise give one; nor do these, so that the bound says nothing (the reason
# follows); the promise is refuted; the ledger is.
WITHIN, NO_POWER, ABOVE_PROMISE, ABOVE_LEDGER = (
    "within",
    "no power",
    "above the promise",
    "above the ledger",
)
ALARMS = (ABOVE_PROMISE, ABOVE_LEDGER)
NOT_AUDITED = "not audited"  # followed by the reason; such a row has no measured epsilon
# Columns of the table; the others are numbers.
TEXTS = ("policy", "label", "reading", "channel", "event", "pair", "finding")
