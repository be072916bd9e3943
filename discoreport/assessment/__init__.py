"""Settings, exclusions, `assess` and what it returns."""
