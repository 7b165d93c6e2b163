#!/bin/sh
# A compiler, as CXX, that compiles the host programs of many kernels together, since the headers that they share take
# ten times as long as what they have of their own. TW_TOGETHER is a folder. While TW_COLLECT is set, host programs are put
# there and fail; compile_together.py makes libraries of them, by which later calls of this link. All else is compiled as ever.
case " $* " in
*" -x c++-header "*) exec c++ "$@" ;;
*" -DFMT_HEADER_ONLY "*" main.cpp "*) ;;
*) exec c++ "$@" ;;
esac
name=$(sha1sum main.cpp) && name=${name%% *}
if [ -n "$TW_COLLECT" ]; then
  cp main.cpp "$TW_TOGETHER/$name.cpp"
  exit 1
fi
library=$(cat "$TW_TOGETHER/$name.in" 2>/dev/null) || exec c++ "$@"
while [ $# -gt 0 ]; do
  case $1 in
  -o) out=$2 ;;
  -MF) echo "x: main.cpp $TW_TOGETHER/$library" >"$2" ;;
  -L*) folder=${1#-L} ;;
  esac
  shift
done
echo "int tw_$name(int, char **); int main(int n, char **words) { return tw_$name(n, words); }" |
  cc -x c -o "$out" - -x none "$TW_TOGETHER/$library" "-Wl,-rpath,$TW_TOGETHER" "-L$folder" -lttemu "-Wl,-rpath,$folder"
