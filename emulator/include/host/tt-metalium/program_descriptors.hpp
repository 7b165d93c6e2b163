// Programs as values: circular buffers, semaphores and kernels with their arguments, of which a
// program is made at once.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <tt-metalium/global_circular_buffer.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tile.hpp>

namespace tt::tt_metal {

struct TileDescriptor {
  uint32_t height = constants::TILE_HEIGHT, width = constants::TILE_WIDTH;
  bool transpose = false;
  TileDescriptor() = default;
  TileDescriptor(const Tile &tile) : height(tile.get_height()), width(tile.get_width()) {}
  TileDescriptor(uint32_t h, uint32_t w, bool turned) : height(h), width(w), transpose(turned) {}
  bool operator==(const TileDescriptor &) const = default;
};

struct CBFormatDescriptor {
  uint8_t buffer_index = 0;
  tt::DataFormat data_format = tt::DataFormat::Float32;
  uint32_t page_size = 0;
  std::optional<TileDescriptor> tile;
};
struct CBDescriptor {
  using FormatDescriptors = std::vector<CBFormatDescriptor>;
  uint32_t total_size = 0;
  CoreRangeSet core_ranges;
  FormatDescriptors format_descriptors, remote_format_descriptors;
  Buffer *buffer = nullptr;
  uint32_t address_offset = 0;
  const experimental::GlobalCircularBuffer *global_circular_buffer = nullptr;
};

struct SemaphoreDescriptor {
  uint32_t id = 0;
  CoreType core_type = CoreType::WORKER;
  CoreRangeSet core_ranges;
  uint32_t initial_value = 0;
};

struct ReaderConfigDescriptor {};
struct WriterConfigDescriptor {};
struct DataMovementConfigDescriptor {
  DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
  NOC noc = NOC::RISCV_0_default;
  NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;
};
struct ComputeConfigDescriptor {
  using UnpackToDestModes = std::vector<UnpackToDestMode>;
  MathFidelity math_fidelity = MathFidelity::HiFi4;
  bool fp32_dest_acc_en = false, dst_full_sync_en = false;
  UnpackToDestModes unpack_to_dest_mode;
  bool bfp8_pack_precise = false, math_approx_mode = false;
};

struct KernelDescriptor {
  using CompileTimeArgs = std::vector<uint32_t>;
  using NamedCompileTimeArgs = std::vector<std::pair<std::string, uint32_t>>;
  using Defines = std::vector<std::pair<std::string, std::string>>;
  using CoreRuntimeArgs = std::vector<uint32_t>;
  using RuntimeArgs = std::vector<std::pair<CoreCoord, CoreRuntimeArgs>>;
  using CommonRuntimeArgs = CoreRuntimeArgs;
  using ConfigDescriptor = std::variant<ReaderConfigDescriptor, WriterConfigDescriptor,
                                        DataMovementConfigDescriptor, ComputeConfigDescriptor>;
  enum class SourceType { FILE_PATH, SOURCE_CODE };

  std::string kernel_source;
  SourceType source_type = SourceType::FILE_PATH;
  CoreRangeSet core_ranges;
  CompileTimeArgs compile_time_args;
  NamedCompileTimeArgs named_compile_time_args;
  Defines defines;
  RuntimeArgs runtime_args;
  CommonRuntimeArgs common_runtime_args;
  std::optional<KernelBuildOptLevel> opt_level;
  ConfigDescriptor config;
};

struct ProgramDescriptor {
  using KernelDescriptors = std::vector<KernelDescriptor>;
  using SemaphoreDescriptors = std::vector<SemaphoreDescriptor>;
  using CBDescriptors = std::vector<CBDescriptor>;
  KernelDescriptors kernels;
  SemaphoreDescriptors semaphores;
  CBDescriptors cbs;
  std::optional<std::uint64_t> custom_program_hash;

  // The lowest one that no semaphore has there.
  std::optional<uint32_t> find_available_semaphore_id(const CoreCoord &core, CoreType type) const {
    constexpr uint32_t most = 16;
    for (uint32_t id = 0; id < most; ++id) {
      bool used = false;
      for (const SemaphoreDescriptor &s : semaphores)
        used = used || (s.id == id && s.core_type == type && s.core_ranges.contains(core));
      if (!used) return id;
    }
    return std::nullopt;
  }
};

namespace detail {
inline void add(Program &program, const CBDescriptor &d) {
  CircularBufferConfig config(d.total_size);
  TT_FATAL(d.address_offset == 0, "circular buffers that start {} bytes into a buffer are not here",
           d.address_offset);
  for (const CBFormatDescriptor &f : d.format_descriptors) {
    config.index(f.buffer_index).set_data_format(f.data_format).set_page_size(f.page_size);
    if (f.tile) config.set_tile_dims(f.buffer_index, Tile({f.tile->height, f.tile->width}));
  }
  for (const CBFormatDescriptor &f : d.remote_format_descriptors)
    config.remote_index(f.buffer_index).set_data_format(f.data_format).set_page_size(f.page_size);
  if (d.buffer) config.set_globally_allocated_address(*d.buffer);
  if (d.global_circular_buffer)
    experimental::CreateCircularBuffer(program, d.core_ranges, config, *d.global_circular_buffer);
  else CreateCircularBuffer(program, d.core_ranges, config);
}

inline void add(Program &program, const SemaphoreDescriptor &d) {
  const std::vector<ttemu_rect> rects = rectangles(d.core_ranges);
  ttemu_program_semaphore_at(program.handle(), rects.data(), rects.size(), d.id, d.initial_value);
  program.impl().semaphore_list->emplace_back(d.core_ranges, d.id, d.initial_value);
}

// How it is compiled, and what is given to it then.
inline KernelConfig config_of(const KernelDescriptor &d) {
  const auto with_args = [&](auto config) -> KernelConfig {
    config.compile_args = d.compile_time_args;
    config.defines = {d.defines.begin(), d.defines.end()};
    config.named_compile_args = {d.named_compile_time_args.begin(),
                                 d.named_compile_time_args.end()};
    return config;
  };
  if (std::holds_alternative<ReaderConfigDescriptor>(d.config))
    return with_args(DataMovementConfig(ReaderDataMovementConfig()));
  if (std::holds_alternative<WriterConfigDescriptor>(d.config))
    return with_args(DataMovementConfig(WriterDataMovementConfig()));
  if (const auto *m = std::get_if<DataMovementConfigDescriptor>(&d.config))
    return with_args(
        DataMovementConfig{.processor = m->processor, .noc = m->noc, .noc_mode = m->noc_mode});
  const auto &c = std::get<ComputeConfigDescriptor>(d.config);
  return with_args(ComputeConfig{.math_fidelity = c.math_fidelity,
                                 .fp32_dest_acc_en = c.fp32_dest_acc_en,
                                 .dst_full_sync_en = c.dst_full_sync_en,
                                 .unpack_to_dest_mode = c.unpack_to_dest_mode,
                                 .bfp8_pack_precise = c.bfp8_pack_precise,
                                 .math_approx_mode = c.math_approx_mode});
}

inline void add(Program &program, const KernelDescriptor &d) {
  const bool is_file = d.source_type == KernelDescriptor::SourceType::FILE_PATH;
  const KernelHandle kernel = (is_file ? CreateKernel : CreateKernelFromString)(
      program, d.kernel_source, d.core_ranges, config_of(d));
  for (const auto &[core, args] : d.runtime_args) SetRuntimeArgs(program, kernel, core, args);
  if (!d.common_runtime_args.empty()) SetCommonRuntimeArgs(program, kernel, d.common_runtime_args);
}
} // namespace detail

inline Program::Program(const ProgramDescriptor &descriptor) : Program() {
  for (const CBDescriptor &d : descriptor.cbs) detail::add(*this, d);
  for (const SemaphoreDescriptor &d : descriptor.semaphores) detail::add(*this, d);
  for (const KernelDescriptor &d : descriptor.kernels) detail::add(*this, d);
}

// What they have together; no two of them are on the same core.
inline ProgramDescriptor merge_program_descriptors(const std::vector<ProgramDescriptor> &all) {
  if (all.size() == 1) return all.front();
  ProgramDescriptor merged;
  CoreRangeSet before;
  for (const ProgramDescriptor &one : all) {
    CoreRangeSet cores;
    for (const KernelDescriptor &k : one.kernels) {
      TT_FATAL(!before.intersects(k.core_ranges), "descriptors of programs share cores {}",
               k.core_ranges.str());
      cores = cores.merge(k.core_ranges);
    }
    before = before.merge(cores);
    merged.kernels.insert(merged.kernels.end(), one.kernels.begin(), one.kernels.end());
    merged.semaphores.insert(merged.semaphores.end(), one.semaphores.begin(), one.semaphores.end());
    merged.cbs.insert(merged.cbs.end(), one.cbs.begin(), one.cbs.end());
  }
  return merged;
}

} // namespace tt::tt_metal
