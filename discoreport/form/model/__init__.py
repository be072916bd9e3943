"""What a form knows and does, without widgets."""
