// What compute calls cost a tile: a case a line of standard input,
//   FIDELITY IN OUT WIDE CALLS PACKS ADDS INIT|BODY|PACK
// with formats bf16, f32 or bfp8, DST of 32 bits or not, and texts for tiles_compute.cpp. Each case
// runs for 8 sections of DST and for 72: the difference of their clk is that of 64 sections.
#include <iostream>
#include <sstream>

#include "../../examples/metalium/common.hpp"

struct Format {
    DataFormat format;
    uint32_t bytes;
};

static Format format_of(const std::string& name) {
    if (name == "f32") {
        return {DataFormat::Float32, 4096};
    }
    return name == "bfp8" ? Format{DataFormat::Bfp8_b, 1088} : Format{DataFormat::Float16_b, 2048};
}

int main() {
    const Mesh device = distributed::MeshDevice::create_unit_mesh(0);
    const CoreCoord core(0, 0);
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string fidelity, in, out, init, body, pack;
        uint32_t wide, calls, packs, adds;
        words >> fidelity >> in >> out >> wide >> calls >> packs >> adds >> std::ws;
        std::getline(words, init, '|');
        std::getline(words, body, '|');
        std::getline(words, pack, '|');
        for (const uint32_t sections : {8u, 72u}) {
            Program program = CreateProgram();
            const auto cb = [&](CBIndex index, const Format& f) {
                CircularBufferConfig config(8 * f.bytes, {{index, f.format}});
                config.set_page_size(index, f.bytes);
                CreateCircularBuffer(program, core, config);
            };
            cb(CBIndex::c_0, format_of(in));
            cb(CBIndex::c_1, format_of(in));
            cb(CBIndex::c_16, format_of(out));
            make_reader(program, CoreRange(core, core), OVERRIDE_KERNEL_PREFIX "tiles_reader.cpp",
                        {});
            const auto writer = make_writer(program, CoreRange(core, core),
                                            OVERRIDE_KERNEL_PREFIX "tiles_writer.cpp", {packs});
            const auto compute = CreateKernel(
                program, OVERRIDE_KERNEL_PREFIX "tiles_compute.cpp", core,
                ComputeConfig{
                    .math_fidelity = fidelity == "LoFi"    ? MathFidelity::LoFi
                                     : fidelity == "HiFi2" ? MathFidelity::HiFi2
                                                           : MathFidelity::HiFi4,
                    .fp32_dest_acc_en = wide != 0,
                    .compile_args = {calls, packs, adds},
                    .defines = {{"TILE_INIT", init}, {"TILE_BODY", body}, {"TILE_PACK", pack}}});
            SetRuntimeArgs(program, compute, core, {sections});
            SetRuntimeArgs(program, writer, core, {packs == 0 ? 0 : adds ? 1 : sections});
            run(device, std::move(program));
        }
    }
    return device->close() ? 0 : 1;
}
