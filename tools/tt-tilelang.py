#!/usr/bin/env python3
"""tt-tilelang: all of it is in the package; this finds it beside the tools or in the sources."""

import os
import sys

here = os.path.dirname(os.path.realpath(__file__))
for place in (os.path.join(here, "..", "share", "tilewright", "python"), os.path.join(here, "..", "python")):
    if os.path.isdir(os.path.join(place, "tilewright")):
        sys.path.insert(0, os.path.realpath(place))
        break
sys.dont_write_bytecode = True

from tilewright.cli import main  # noqa: E402

sys.exit(main())
