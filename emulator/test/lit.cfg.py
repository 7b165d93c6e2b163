# The emulated device's tests: found and run as those of the compiler are.

import os

lit_config.load_config(config, os.path.join(config.tw_source, "test", "lit.cfg.py"))
config.name = "Tilewright-emulator"
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tw_build, "emulator", "test", "Output")
config.substitutions.insert(0, ("%emulator_inputs", os.path.join(config.test_source_root, "Inputs")))
