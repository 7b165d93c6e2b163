"""Rewrites the kernels of a folder, which are of 2026-08, for an older era of the API.

usage: older_era.py FOLDER 2026-03|2025

Names as docs/api-eras.md has them."""

import pathlib
import re
import sys

NAMES = {
    "matmul_init": "mm_init_short",
    "matmul_block_init": "mm_block_init_short",
    "add_init": "add_tiles_init",
    "sub_init": "sub_tiles_init",
    "mul_init": "mul_tiles_init",
    "mul_bcast_cols_init": "mul_bcast_cols_init_short",
    "copy_init": "copy_tile_to_dst_init_short",
    "noc_async_read_page": "noc_async_read_tile",
    "noc_async_write_page": "noc_async_write_tile",
}


def march(text):
    text = re.sub(r"compute_kernel_hw_startup<SrcOrder::Reverse>\(", "mm_init(", text)
    text = re.sub(r"compute_kernel_hw_startup\((\w+), (\w+)\)", r"unary_op_init_common(\1, \2)", text)
    text = re.sub(r"compute_kernel_hw_startup\(", "binary_op_init_common(", text)
    headers = '#include "api/compute/eltwise_binary.h"\n#include "api/compute/eltwise_unary/eltwise_unary.h"'
    text = text.replace('#include "api/compute/compute_kernel_hw_startup.h"', headers)
    for new, old in NAMES.items():
        text = re.sub(rf"\b{new}\(", f"{old}(", text)
    return text


def december(text):
    """Before 2026: other folders, another entry of compute kernels, one more argument."""
    compute = "api/compute/" in text
    text = text.replace("api/compute/compute_kernel_api.h", "compute_kernel_api.h")
    text = text.replace("api/compute/", "compute_kernel_api/").replace("api/dataflow/", "")
    text = re.sub(r"matmul_tiles\((.*)\);", r"matmul_tiles(\1, 0);", text)
    if compute:
        text = text.replace("void kernel_main() {", "namespace NAMESPACE {\nvoid MAIN {")
        text += "}  // namespace NAMESPACE\n"
    return text


def main():
    folder, era = pathlib.Path(sys.argv[1]), sys.argv[2]
    for path in sorted(folder.glob("*.cpp")):
        if path.name == "main.cpp":
            continue
        text = march(path.read_text())
        path.write_text(december(text) if era == "2025" else text)


main()
