"""`python -m r3c`."""

import sys

try:
    from r3c.cli.main import main

    sys.exit(main())
except KeyboardInterrupt:  # before the command line could take care of it
    sys.exit(130)
