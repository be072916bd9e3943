"""Files and frames in; comparable, coded columns out."""
