"""What one configuration runs: its folders, its studies and their batches, and what each job is given."""
