#!/bin/bash
# What the program sees of libheddle.so is exactly what is marked HEDDLE_EXPORT: a name that libheddle.map forgets
# would leave glibc's function in place without a word, and one that it lets out of the static C++ library would replace
# the program's. No symbol has a version, so that it replaces every version of glibc's.
# Usage: test_exports.sh BUILD_DIR
set -eu
library=$1/libheddle.so
objects=("$1"/src/runtime/lib*.a "$1"/src/runtime/*/lib*.a)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0

nm -D --defined-only "$library" | awk '{print $3}' | sort -u >"$dir/exported"
readelf -sW "${objects[@]}" 2>/dev/null |
  awk '($5 == "GLOBAL" || $5 == "WEAK") && $6 == "DEFAULT" && $7 != "UND" {print $8}' | sort -u >"$dir/default"
# The compiler gives instances of std templates default visibility; the map keeps them in.
# std::random_device, std::exception_ptr::_M_release, operator new and delete, and what hooks/cpp_state.cpp and
# hooks/cpp_nodes.cpp have are replaced on purpose.
grep -Ev '^_Z' "$dir/default" >"$dir/marked" || true
grep -E '^_Z(NSt(13random_device|15__exception_ptr13exception_ptr10_M_release|13__future_base.*_Make_ready|3pmr20set_default|6locale6global|8__detail15_List_node_base)|St15set_new_handler|St[0-9]+_Rb_tree_[id]|St28_Rb_tree_rebalance|n[wa]|d[la])' "$dir/default" >>"$dir/marked" || true
sort -u -o "$dir/marked" "$dir/marked"

report() { # LINES MEANING
  if [ -s "$1" ]; then
    echo "$2:"
    cat "$1"
    status=1
  fi
}
comm -13 "$dir/exported" "$dir/marked" >"$dir/forgotten"
comm -23 "$dir/exported" "$dir/marked" >"$dir/leaked"
grep '@' "$dir/exported" >"$dir/versioned" || true
report "$dir/forgotten" "marked HEDDLE_EXPORT, but kept in by src/libheddle.map"
report "$dir/leaked" "let out by src/libheddle.map, but not marked HEDDLE_EXPORT"
report "$dir/versioned" "exported with a version"
if ! grep -qx __libc_start_main "$dir/exported"; then
  echo "__libc_start_main is not exported: heddle would never take over"
  status=1
fi
[ $status = 0 ] && echo "$(wc -l <"$dir/exported") symbols exported"
exit $status
