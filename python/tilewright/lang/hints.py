"""What is a hint for a GPU and changes no value: accepted, and dropped."""


from ..errors import TileError
from ..expr import number
from ..standins import Anything


def nothing(*_, **__):
    """A hint that does not matter here."""


#: Calls that are dropped, each with the reason; docs/tilelang.md lists them.
HINTS = {
    "use_swizzle": "order of cells in a GPU's cache; tt.layout says where cells run",
    "annotate_layout": "layout of shared memory; blocks are tiles here",
    "annotate_padding": "layout of shared memory",
    "annotate_safe_value": "what is outside of a tensor is zero; another value is an error",
    "annotate_l2_hit_ratio": "a GPU's cache",
    "annotate_restrict_buffers": "aliasing of pointers",
    "annotate_producer_reg_dealloc": "registers of warps",
    "annotate_consumer_reg_alloc": "registers of warps",
    "no_set_max_nreg": "registers of warps",
    "set_max_nreg": "registers of warps",
    "disable_warp_group_reg_alloc": "registers of warps",
    "sync_threads": "a core has one thread of compute",
    "sync_warp": "a core has one thread of compute",
    "assume": "a promise to the compiler",
    "device_assert": "a check for debugging",
    "print": "output for debugging",
    "evaluate": "a value that is not used",
}

#: Descriptions of layouts, which only the hints above take.
LAYOUTS = ("Layout", "Fragment")

FUNCTIONS = {name: nothing for name in HINTS}


def annotate_safe_value(values, *_, **__):
    """T.annotate_safe_value({A: 0}): what a read outside of a tensor gives; it is zero here."""
    for value in values.values() if isinstance(values, dict) else [values]:
        if number(value) != 0:
            raise TileError(
                f"T.annotate_safe_value with {value}: what is outside of a tensor is zero; choose with T.if_then_else(inside, element, value)"
            )


FUNCTIONS["annotate_safe_value"] = annotate_safe_value


for _name in LAYOUTS:
    FUNCTIONS[_name] = lambda *_, **__: Anything("layout")


class GemmWarpPolicy:
    """How a product is spread over warps; it does not matter here."""

    Square, FullRow, FullCol = "Square", "FullRow", "FullCol"
