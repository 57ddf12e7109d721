"""`python -m r3c`."""

import sys

from r3c.cli.main import main

sys.exit(main())
