# `snakemake`, typed here, runs the workflow in workflow/Snakefile. All paths are relative to this folder.


include: "workflow/Snakefile"
