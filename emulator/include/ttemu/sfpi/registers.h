// DST and the constants as kernels name them.
//
// A vector is 4 rows of a face, in its even or odd columns; dst_reg[i] of one tile are the 32 of
// them: the 8 of face 0, then those of the next faces.
#pragma once

#include "ttemu/sfpi/types.h"

namespace sfpi {
enum class DataLayout {
  Default,
  FSrcB,
  F32,
  F16a,
  F16b,
  I32,
  U32,
  U16,
  SM32,
  SM16,
  M32,
  LO16,
  HI16
};

namespace impl {
inline uint32_t vector = 0; // where dst_reg[0] is now, in vectors
inline void load(uint32_t at, uint32_t *bits) {
  ttemu_lanes_load(vector + at, bits, clks, 0);
  clks = 0;
}
inline void store(uint32_t at, const uint32_t *bits, bool is_float) {
  ttemu_lanes_store(vector + at, bits, enabled, is_float, clks, 0);
  clks = 0;
}
class vReg {
public:
  explicit vReg(uint32_t at) : at_(at) {}
  vReg(const vReg &) = default;
  operator vFloat() const { return get<vFloat>(); }
  operator vInt() const { return get<vInt>(); }
  operator vUInt() const { return get<vUInt>(); }
  void operator=(const vFloat &v) const { store(at_, v.bits, true); }
  void operator=(const vInt &v) const { store(at_, v.bits, false); }
  void operator=(const vUInt &v) const { store(at_, v.bits, false); }
  void operator=(float v) const { *this = vFloat(v); }
  void operator=(const vReg &other) const { *this = vFloat(other); }
  vFloat operator-() const { return -vFloat(*this); }
  template <DataLayout tLayout = DataLayout::Default> vReg mode(int = -1) const { return *this; }
  friend vProduct operator*(const vReg &a, const vReg &b) { return vFloat(a) * vFloat(b); }
  friend vFloat operator+(const vReg &a, const vReg &b) { return vFloat(a) + vFloat(b); }
  friend vFloat operator-(const vReg &a, const vReg &b) { return vFloat(a) - vFloat(b); }

private:
  template <typename T> T get() const {
    T value;
    load(at_, value.bits);
    return value;
  }
  uint32_t at_;
};
class DstRegFile {
public:
  vReg operator[](int at) const { return vReg(static_cast<uint32_t>(at)); }
  void operator++() const { ++vector; }
  void operator++(int) const { ++vector; }
  void operator+=(int by) const { vector += static_cast<uint32_t>(by); }
};
// A constant register that a kernel may set.
template <typename T> struct vCReg {
  T value;
  operator T() const { return value; }
  template <typename From> void operator=(const From &from) { value = T(from); }
};
} // namespace impl
inline constexpr impl::DstRegFile dst_reg;

inline const vFloat vConst0(0.0f), vConst1(1.0f), vConstNeg1(-1.0f), vConst0p8373(0.837300003f);
inline const vInt vConstTileId = vInt::of([](int i) { return 2 * i; });
inline impl::vCReg<vFloat> vConstFloatPrgm0, vConstFloatPrgm1, vConstFloatPrgm2;
inline impl::vCReg<vInt> vConstIntPrgm0, vConstIntPrgm1, vConstIntPrgm2;

// The registers of the unit by number.
enum class LRegs : uint8_t { LReg0, LReg1, LReg2, LReg3, LReg4, LReg5, LReg6, LReg7 };
namespace impl {
struct LRegFile {
  struct vLReg {
    vVal value;
    template <typename T> operator T() const { return reinterpret<T>(value); }
    void operator=(const vVal &v) { value = v; }
  };
  vLReg regs[8];
  vLReg &operator[](LRegs i) { return regs[static_cast<int>(i)]; }
};
} // namespace impl
inline impl::LRegFile l_reg;
} // namespace sfpi
