# `snakemake`, typed here, runs the workflow in workflow/Snakefile. All paths are relative to this folder.


include: "workflow/Snakefile"


workflow.default_target = "all"  # Snakemake ignores the default target of a file that is included
