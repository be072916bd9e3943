"""``python -m discoreport`` does what the command ``discoreport`` does."""

import sys

from discoreport.cli import main

sys.exit(main())
