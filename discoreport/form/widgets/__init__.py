"""Controls that panels share, and how they look."""
