"""`python -m affray`: the same as the `affray` command."""

from __future__ import annotations

import sys

from affray.terminal import main

if __name__ == "__main__":
    sys.exit(main())
