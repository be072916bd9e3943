"""What an approver asks next: each analysis is a function of the files that gives a frozen result of aggregates."""
