"""The plan of one configuration: folders, studies, batches and the arguments of jobs."""
