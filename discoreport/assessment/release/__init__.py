"""What people say of a release, what is open before it can be decided, and what may leave the building."""
