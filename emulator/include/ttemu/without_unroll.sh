# Stands before each step of GCC (-no-integrated-cpp -wrapper sh,THIS): takes pragmas that count
# the turns of a loop out of what the preprocessor writes. GCC before 15 takes no such count from a
# template's argument; what the loop does is the same.
"$@" || exit
case " $* " in
*" -E "*) ;;
*) exit 0 ;;
esac
while [ $# -gt 1 ] && [ "$1" != -o ]; do shift; done
if [ "$1" = -o ]; then
  sed -i 's/^[[:space:]]*#[[:space:]]*pragma GCC unroll.*//' "$2"
fi
