"""What differs between the files, or looks wrong: findings on one variable."""
