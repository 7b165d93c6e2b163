// Makes GCC and Clang agree on what a trait is called. Include this first.
//
// MLIR finds a trait across libraries by the name of its type, as the compiler
// spells it. That name holds a class local to a function, and the compilers
// spell it differently: SymbolTable<Empty> (Clang, which builds Debian's
// libMLIR.so) or SymbolTable<mlir::TypeID::get<…>()::Empty> (GCC). Without this,
// libMLIR does not see that tt.program is a symbol table.
//
// TILEWRIGHT_MLIR_BY_CLANG is set by CMake, which looks into libMLIR.so.

#ifndef TILEWRIGHT_BRIDGE_TRAIT_NAMES_H
#define TILEWRIGHT_BRIDGE_TRAIT_NAMES_H

#include "mlir/Support/TypeID.h"

#include <string>
#include <string_view>

#if defined(TILEWRIGHT_MLIR_BY_CLANG) && !defined(__clang__)

namespace mlir::detail {

// True for the local class `Empty` of TypeID::get<Trait>().
template <typename T> constexpr bool isLocalEmpty() {
  constexpr std::string_view name = __PRETTY_FUNCTION__, end = "::Empty]";
  return name.size() > end.size() && name.substr(name.size() - end.size()) == end;
}

template <template <typename> class Trait, typename T>
class TypeIDResolver<Trait<T>, std::enable_if_t<isLocalEmpty<T>()>>
    : public FallbackTypeIDResolver {
public:
  static TypeID resolveTypeID() {
    static const std::string name = clangName();
    static TypeID id = registerImplicitTypeID(name);
    return id;
  }

private:
  // The name up to the bracket that its last one closes, then <Empty>.
  static std::string clangName() {
    StringRef name = llvm::getTypeName<Trait<T>>();
    size_t open = name.size();
    for (int depth = 0; open-- > 0;) {
      depth += (name[open] == '>') - (name[open] == '<');
      if (depth == 0) break;
    }
    return name.take_front(open).str() + "<Empty>";
  }
};

} // namespace mlir::detail

#endif
#endif
