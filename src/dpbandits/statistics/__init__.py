"""How runs become numbers with errors."""
