"""Tables that stay where they are (DuckDB, Spark, Ibis): opened, checked and coded without a record leaving."""
