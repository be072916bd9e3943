"""One file or frame -> a table: how each format is read, and what it says of itself."""
