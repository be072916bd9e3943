"""Examples of the commands, as their help shows them below the word."""

EXAMPLES = {
    "demo": """\
  discoreport demo
      assess the example survey and write its report into ./discoreport-demo
""",
    "assess": """\
  discoreport assess original.csv synthetic.csv --key sex --key age --key region --out report
      all other variables with a value are targets

  discoreport assess census.parquet syn1.parquet syn2.parquet --key age --key postcode \\
      --target income --group income=20 --code income=-8 --out report
      two synthetic files; income in about 20 classes, -8 a code and not a number

  discoreport assess --config assessment.toml --policy policy.toml --fail-on thresholds,flags,warnings --json
      in a pipeline: exit code 3 where a figure is above the policy's threshold, or a flag is not answered

  discoreport assess original.csv synthetic.csv --key sex --key age --sensitivity region --control control.csv \\
      --groups education --four-checks --out report
      what an approver asks next: which key carries the risk, what the release adds, who is at risk
""",
    "audit": """\
  discoreport audit releases --out audit --policy policy.toml --fail-on thresholds,flags,warnings
      releases/census/assessment.toml, releases/panel/assessment.toml, ... : exit code 2 or 5 where a release
      could not be assessed, else 3 where one is above a threshold, has an open flag or doesn't match
""",
    "mitigate": """\
  discoreport mitigate --write-steps steps.toml
      a file to start from

  discoreport mitigate original.csv synthetic.csv --key sex --key age --steps steps.toml --trade-off
      which of the steps are worth their cost; nothing is written

  discoreport mitigate original.csv synthetic.csv --key sex --key age --steps steps.toml --out released.csv \\
      --report report
      the new file, and the bundle on it
""",
    "report": """\
  discoreport report report/assessment.json --write-documentation approval.toml
      a file to fill in: request, scenario, an answer to each flag, checklist, decision

  discoreport report report/assessment.json --documentation approval.toml --policy policy.toml --out approval
      the bundle for the release approval file

  discoreport report approval/assessment.json --edition external --out public
      the edition that may leave the building
""",
    "verify": """\
  discoreport verify approval --original original.csv --synthetic synthetic.csv
      exit code 0: all holds; 1: something doesn't; 6: something could not be checked

  discoreport verify approval --original original.csv --synthetic synthetic.csv --policy policy.toml \\
      --templates our_templates --authorities authorities.pem
      what the record says of policy, templates and signers, compared with what you know to be right
""",
    "notebook": """\
  discoreport notebook report/assessment.json --out repeat.ipynb
  jupyter nbconvert --execute --to discoreport_pdf repeat.ipynb
""",
}
"""By command."""
