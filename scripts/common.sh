# What the scripts share: where things are, and the packages they need.
# To be sourced.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${BUILD_DIR:-$root/build}

say() { printf '%s\n' "$*" >&2; }

# Where the first argument asks for it: what the script does, as the comment that opens it says.
explain() {
  case ${1:-} in
    -h | --help) sed -n '2,${/^#/!q;s/^# \{0,1\}//;p}' "$0" && exit 0 ;;
  esac
}

# Of a script that takes no arguments.
takes_none() {
  explain "$@"
  [ $# -eq 0 ] && return
  say "error: unexpected argument '$1'; scripts/$(basename "$0") takes none"
  exit 2
}

# Installs what is missing of Debian's packages, and of those named. With MLIR_DIR set, LLVM is
# taken from there.
install_packages() {
  local missing=() package
  for package; do
    command -v "$package" >/dev/null || missing+=("$package")
  done
  command -v c++ >/dev/null && command -v cc >/dev/null && command -v make >/dev/null || missing+=(build-essential)
  command -v cmake >/dev/null || missing+=(cmake)
  command -v ninja >/dev/null || missing+=(ninja-build)
  command -v python3 >/dev/null || missing+=(python3)
  [ -e /usr/include/fmt/format.h ] || missing+=(libfmt-dev)
  [ -e /usr/include/google/protobuf/message.h ] || missing+=(libprotobuf-dev)
  command -v pkg-config >/dev/null || missing+=(pkgconf)
  if [ -z "${MLIR_DIR:-}" ]; then
    [ -e /usr/lib/llvm-22/lib/cmake/mlir/MLIRConfig.cmake ] || missing+=(libmlir-22-dev)
    [ -x /usr/lib/llvm-22/bin/mlir-opt ] || missing+=(mlir-22-tools)
    [ -e /usr/lib/llvm-22/include/llvm/Config/llvm-config.h ] || missing+=(llvm-22-dev)
    [ -x /usr/lib/llvm-22/bin/FileCheck ] || missing+=(llvm-22-tools)
    [ -x /usr/lib/llvm-22/bin/clang++ ] || missing+=(clang-22)
  fi
  [ ${#missing[@]} -eq 0 ] && return
  say "Installing: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { say "error: these packages are missing, and there is neither root nor sudo to install them"; exit 1; }
    as_root=(sudo)
  fi
  ${as_root[@]+"${as_root[@]}"} apt-get -q update >&2
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
    apt-get -q install -y --no-install-recommends "${missing[@]}" >&2
}

# Configures (where needed) and builds; its output goes to standard error.
configure_and_build() {
  local options=()
  [ -n "${CI:-}" ] && options+=(-DTILEWRIGHT_WERROR=ON)
  [ -n "${MLIR_DIR:-}" ] && options+=("-DMLIR_DIR=$MLIR_DIR")
  if [ ! -e "$build/build.ninja" ] || [ ${#options[@]} -gt 0 ]; then
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE="${BUILD_TYPE:-Release}" ${options[@]+"${options[@]}"} >&2
  fi
  cmake --build "$build" >&2
}
