# Finds the LLVM and MLIR 22.1 that everything is built on: the distribution's
# packages, or another install named by MLIR_DIR (its lib/cmake/mlir).
#
# Only paths are taken from it. The compiler links libMLIR.so, libLLVM and the
# archives of mlir-c, which have no shared form; any other libMLIR*.a would bring
# a second copy of MLIR into the process.

# docs/llvm.md says how another release is tried: TILEWRIGHT_LLVM names it, so that
# nobody builds on one by accident.

set(TW_LLVM_TESTED 22.1)
set(TILEWRIGHT_LLVM ${TW_LLVM_TESTED} CACHE STRING "Release of LLVM and MLIR to build on; only ${TW_LLVM_TESTED} is tested")
set(TW_LLVM_VERSION ${TILEWRIGHT_LLVM})
if(NOT DEFINED MLIR_DIR AND DEFINED ENV{MLIR_DIR})
  set(MLIR_DIR $ENV{MLIR_DIR})
endif()
if(NOT DEFINED MLIR_DIR)
  set(MLIR_DIR /usr/lib/llvm-22/lib/cmake/mlir)
endif()
set(MLIR_DIR ${MLIR_DIR} CACHE PATH "Folder of MLIRConfig.cmake of LLVM ${TW_LLVM_VERSION}" FORCE)
get_filename_component(TW_LLVM_PREFIX ${MLIR_DIR}/../../.. ABSOLUTE)

set(config ${TW_LLVM_PREFIX}/include/llvm/Config/llvm-config.h)
if(NOT EXISTS ${MLIR_DIR}/MLIRConfig.cmake OR NOT EXISTS ${config})
  message(FATAL_ERROR "No MLIR at ${MLIR_DIR}. Run scripts/build, which installs the packages "
    "libmlir-22-dev, mlir-22-tools, llvm-22-dev and llvm-22-tools, or set MLIR_DIR to the "
    "lib/cmake/mlir of an LLVM ${TW_LLVM_VERSION}.")
endif()
file(STRINGS ${config} version REGEX "define LLVM_VERSION_(MAJOR|MINOR) ")
string(REGEX REPLACE "[^0-9]*([0-9]+)[^0-9]+([0-9]+).*" "\\1.\\2" version "${version}")
if(NOT version STREQUAL TW_LLVM_VERSION)
  message(FATAL_ERROR "MLIR at ${MLIR_DIR} is ${version}, but Tilewright is built on ${TW_LLVM_VERSION}, "
    "since MLIR's interfaces change with each release. Set MLIR_DIR to the lib/cmake/mlir of an LLVM "
    "${TW_LLVM_VERSION}, or try this one with -DTILEWRIGHT_LLVM=${version}; docs/llvm.md says what to expect.")
endif()
if(NOT TW_LLVM_VERSION STREQUAL TW_LLVM_TESTED)
  message(WARNING "LLVM ${TW_LLVM_VERSION} is not tested, ${TW_LLVM_TESTED} is: run all tests; see docs/llvm.md.")
endif()

set(TW_LLVM_BIN ${TW_LLVM_PREFIX}/bin)
set(TW_LLVM_LIB ${TW_LLVM_PREFIX}/lib)
set(TW_LLVM_INCLUDE ${TW_LLVM_PREFIX}/include)
foreach(tool mlir-tblgen llvm-tblgen mlir-opt FileCheck not split-file)
  if(NOT EXISTS ${TW_LLVM_BIN}/${tool})
    message(FATAL_ERROR "${TW_LLVM_BIN} has no ${tool}: install mlir-22-tools and llvm-22-tools.")
  endif()
endforeach()

set(TW_MLIR_ARCHIVES)
foreach(name IR Arith Func SCF MemRef Linalg GPU RegisterEverything Conversion Transforms
    ExecutionEngine Interfaces LLVM TransformDialect TransformDialectTransforms)
  if(EXISTS ${TW_LLVM_LIB}/libMLIRCAPI${name}.a)
    list(APPEND TW_MLIR_ARCHIVES ${TW_LLVM_LIB}/libMLIRCAPI${name}.a)
  endif()
endforeach()
list(APPEND TW_MLIR_ARCHIVES ${TW_LLVM_LIB}/libMLIRExecutionEngine.a
  ${TW_LLVM_LIB}/libMLIRExecutionEngineUtils.a)

# Whether Clang built libMLIR.so; see lib/Bridge/TraitNames.h.
if(NOT DEFINED TW_MLIR_BY_CLANG)
  file(STRINGS ${TW_LLVM_LIB}/libMLIR.so trait REGEX "mlir::OpTrait::SymbolTable<Empty>" LIMIT_COUNT 1)
  string(COMPARE NOTEQUAL "${trait}" "" by_clang)
  set(TW_MLIR_BY_CLANG ${by_clang} CACHE INTERNAL "libMLIR.so was built by Clang")
endif()
