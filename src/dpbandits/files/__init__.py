"""What lies on the disk: traces, tables, fingerprints of the code behind them, and how damage is noticed."""
