"""What one configuration runs: folders, studies, batches, and what each job is given."""
