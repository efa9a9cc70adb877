"""What lies on the disk: traces and tables, and how damage is noticed."""
