// Runs kernels as a description says: host FILE. A line of it is one of
//
//   cores X0 Y0 X1 Y1                              where the next circular buffers and kernels are
//   tensor NAME dram|l1 PAGE_BYTES PAGES           interleaved
//   shards NAME PAGE_BYTES ROWS COLUMNS SHARD_ROWS SHARD_COLUMNS   in L1, in pages, a shard a core
//   load NAME FILE     save NAME FILE              before and after the run
//   cb INDEX[,INDEX] PAGES PAGE_BYTES FORMAT [NAME]   FORMAT as tt::DataFormat numbers it; on
//   tensor NAME semaphore VALUE kernel reader|writer|compute PATH              what follows is of
//   this kernel args WORD…    named NAME VALUE    define NAME VALUE    option
//   fp32|approx|full|fidelity=N|fp32cb=N run X Y WORD…                                  its runtime
//   arguments on a core; "run * WORD…" on all common WORD…
//
// and a WORD is a number, @NAME for a tensor's address, or :NAME for the arguments of its accessor.
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tt_metal.hpp>

using namespace tt::tt_metal;

namespace {

struct KernelText {
  std::string role, path;
  CoreRange cores;
  std::vector<uint32_t> args, common;
  std::map<std::string, std::string> defines;
  std::unordered_map<std::string, uint32_t> named;
  std::vector<std::pair<std::optional<CoreCoord>, std::vector<uint32_t>>> runs;
  ComputeConfig compute;
};

class Description {
public:
  explicit Description(IDevice *device) : device_(device), program_(CreateProgram()) {}

  void read(std::istream &in) {
    std::string text;
    while (std::getline(in, text)) {
      std::istringstream line(text);
      std::string what;
      if (line >> what) read_line(what, line);
    }
  }

  void run() {
    for (const KernelText &k : kernels_) create(k);
    detail::LaunchProgram(device_, program_);
    for (const auto &[name, file] : saved_) {
      std::vector<uint8_t> bytes;
      detail::ReadFromBuffer(tensor(name), bytes);
      std::ofstream(file, std::ios::binary)
          .write(reinterpret_cast<char *>(bytes.data()), bytes.size());
    }
  }

private:
  Buffer &tensor(const std::string &name) { return *tensors_.at(name); }

  void read_line(const std::string &what, std::istringstream &line) {
    if (what == "tensor" || what == "shards") make_tensor(what == "shards", line);
    else if (what == "load" || what == "save") move(what == "load", line);
    else if (what == "cb") make_cb(line);
    else if (what == "cores") {
      size_t x0, y0, x1, y1;
      line >> x0 >> y0 >> x1 >> y1;
      cores_ = CoreRange(CoreCoord(x0, y0), CoreCoord(x1, y1));
    } else if (what == "semaphore") {
      uint32_t value;
      line >> value;
      CreateSemaphore(program_, cores_, value);
    } else if (what == "kernel") {
      kernels_.push_back({.cores = cores_});
      line >> kernels_.back().role >> kernels_.back().path;
    } else read_of_kernel(kernels_.at(kernels_.size() - 1), what, line);
  }

  void make_tensor(bool sharded, std::istringstream &line) {
    std::string name, memory;
    uint32_t bytes, pages;
    if (!sharded) {
      line >> name >> memory >> bytes >> pages;
      tensors_[name] = CreateBuffer(
          InterleavedBufferConfig{device_, uint64_t{bytes} * pages, bytes,
                                  memory == "dram" ? BufferType::DRAM : BufferType::L1});
      return;
    }
    uint32_t rows, columns, shard_rows, shard_columns;
    line >> name >> bytes >> rows >> columns >> shard_rows >> shard_columns;
    const ShardSpecBuffer spec(CoreRangeSet(cores_), {shard_rows, shard_columns},
                               ShardOrientation::ROW_MAJOR, {1, 1}, {rows, columns});
    const BufferDistributionSpec places(Shape{rows, columns}, Shape{shard_rows, shard_columns},
                                        CoreRangeSet(cores_), ShardOrientation::ROW_MAJOR);
    tensors_[name] =
        Buffer::create(device_, uint64_t{bytes} * rows * columns, bytes, BufferType::L1,
                       BufferShardingArgs(places, spec, TensorMemoryLayout::BLOCK_SHARDED));
  }

  void move(bool load, std::istringstream &line) {
    std::string name, file;
    line >> name >> file;
    if (!load) {
      saved_.emplace_back(name, file);
      return;
    }
    std::ifstream in(file, std::ios::binary);
    std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(in)), {});
    TT_FATAL(bytes.size() == tensor(name).size(), "{} has {} bytes, its tensor {}", file,
             bytes.size(), tensor(name).size());
    detail::WriteToBuffer(tensor(name), bytes);
  }

  void make_cb(std::istringstream &line) {
    uint32_t pages, bytes, format;
    std::string indices, index, on;
    line >> indices >> pages >> bytes >> format >> on;
    std::map<uint8_t, tt::DataFormat> formats;
    for (std::istringstream list(indices); std::getline(list, index, ',');)
      formats[uint8_t(std::stoul(index))] = static_cast<tt::DataFormat>(format);
    CircularBufferConfig config(pages * bytes, formats);
    for (const auto &[one, _] : formats) config.set_page_size(one, bytes);
    if (!on.empty()) config.set_globally_allocated_address(tensor(on));
    CreateCircularBuffer(program_, cores_, config);
  }

  std::vector<uint32_t> words(std::istringstream &line) {
    std::vector<uint32_t> list;
    std::string word;
    while (line >> word) {
      if (word[0] == '@') list.push_back(tensor(word.substr(1)).address());
      else if (word[0] == ':') TensorAccessorArgs(tensor(word.substr(1))).append_to(list);
      else list.push_back(static_cast<uint32_t>(std::stoll(word, nullptr, 0)));
    }
    return list;
  }

  void read_of_kernel(KernelText &k, const std::string &what, std::istringstream &line) {
    std::string name;
    if (what == "args") k.args = words(line);
    else if (what == "common") k.common = words(line);
    else if (what == "named") line >> name >> k.named[name];
    else if (what == "define") {
      line >> name;
      std::getline(line >> std::ws, k.defines[name]);
    } else if (what == "run") {
      line >> name;
      if (name == "*") {
        k.runs.emplace_back(std::nullopt, words(line));
        return;
      }
      size_t y;
      line >> y;
      k.runs.emplace_back(CoreCoord(std::stoul(name), y), words(line));
    } else if (what == "option") {
      line >> name;
      option(k.compute, name);
    } else TT_THROW("a line of the description begins with '{}'", what);
  }

  static void option(ComputeConfig &c, const std::string &name) {
    const size_t equals = name.find('=');
    const int value = equals == name.npos ? 0 : std::stoi(name.substr(equals + 1));
    if (name == "fp32") c.fp32_dest_acc_en = true;
    else if (name == "approx") c.math_approx_mode = true;
    else if (name == "full") c.dst_full_sync_en = true;
    else if (name.starts_with("fidelity="))
      c.math_fidelity = value == 1 ? MathFidelity::LoFi : static_cast<MathFidelity>(value);
    else if (name.starts_with("fp32cb=")) {
      c.unpack_to_dest_mode.resize(NUM_CIRCULAR_BUFFERS, UnpackToDestMode::Default);
      c.unpack_to_dest_mode[value] = UnpackToDestMode::UnpackToDestFp32;
    } else TT_THROW("no option is called '{}'", name);
  }

  void create(const KernelText &k) {
    KernelHandle kernel;
    if (k.role == "compute") {
      ComputeConfig config = k.compute;
      config.compile_args = k.args, config.defines = k.defines, config.named_compile_args = k.named;
      kernel = CreateKernel(program_, k.path, k.cores, config);
    } else if (k.role == "reader") {
      kernel = CreateKernel(program_, k.path, k.cores,
                            ReaderDataMovementConfig(k.args, k.defines, k.named));
    } else {
      kernel = CreateKernel(program_, k.path, k.cores,
                            WriterDataMovementConfig(k.args, k.defines, k.named));
    }
    for (const auto &[core, args] : k.runs) {
      if (core) SetRuntimeArgs(program_, kernel, *core, args);
      else SetRuntimeArgs(program_, kernel, k.cores, args);
    }
    if (!k.common.empty()) SetCommonRuntimeArgs(program_, kernel, k.common);
  }

  IDevice *device_;
  Program program_;
  CoreRange cores_{CoreCoord(0, 0), CoreCoord(0, 0)};
  std::map<std::string, std::shared_ptr<Buffer>> tensors_;
  std::vector<KernelText> kernels_;
  std::vector<std::pair<std::string, std::string>> saved_;
};

} // namespace

int main(int argc, char **argv) {
  TT_FATAL(argc == 2, "usage: host DESCRIPTION");
  IDevice *device = CreateDevice(0);
  {
    Description description(device);
    std::ifstream in(argv[1]);
    description.read(in);
    description.run();
  }
  CloseDevice(device);
}
