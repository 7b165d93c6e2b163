// Names of circular buffers.
#pragma once

#include <cstdint>

namespace tt {

enum CBIndex : std::uint8_t {
#include "ttemu/cb_index.def"
};
// The older names of the same.
enum CB : std::uint8_t {
  c_in0,
  c_in1,
  c_in2,
  c_in3,
  c_in4,
  c_in5,
  c_in6,
  c_in7,
  dataflow0,
  dataflow1,
  dataflow2,
  dataflow3,
  dataflow4,
  dataflow5,
  dataflow6,
  dataflow7,
  c_out0,
  c_out1,
  c_out2,
  c_out3,
  c_out4,
  c_out5,
  c_out6,
  c_out7,
  c_intermed0,
  c_intermed1,
  c_intermed2,
  c_intermed3,
  c_intermed4,
  c_intermed5,
  c_intermed6,
  c_intermed7,
};

} // namespace tt
