# `snakemake`, typed here, runs the workflow in workflow/Snakefile. Paths are relative to the folder
# where it is typed.


include: "workflow/Snakefile"


workflow.default_target = "all"  # Snakemake ignores the default target of an included file
