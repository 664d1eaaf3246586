#!/usr/bin/env bash
# ./dev lint: what tools can say about the sources.
# Sourced by ./dev, which defines the common names.
# shellcheck disable=SC2154
set -euo pipefail

sources() {
  local file
  git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
    if [[ -e $file ]]; then say "$file"; fi
  done
}

# Files that differ from where this branch left the main line, or from the last commit when this is the main line.
changed_sources() {
  local base
  base=$(git merge-base HEAD origin/HEAD 2>/dev/null || git rev-parse -q --verify HEAD~1 || git rev-parse HEAD)
  {
    git diff --name-only --diff-filter=d "$base" -- '*.cc'
    git ls-files --others --exclude-standard -- '*.cc'
  } | sort -u
}

# One file; a file that was clean with the same headers and the same rules is not looked at again.
tidy_one() {
  local file=$1 key stamp
  key=$({ sha256sum "$file" .clang-tidy tests/.clang-tidy; cat build/lint/headers; } | sha256sum | cut -c 1-40)
  stamp=build/lint/clean/$key
  [[ -e $stamp ]] && return 0
  if (($(date +%s) >= LINT_UNTIL)); then
    say "$file" >>build/lint/unseen
    return 0
  fi
  say "  $file"
  if clang-tidy --quiet -p build/clang "$file" >"build/lint/$key.log" 2>/dev/null; then
    rm -f "build/lint/$key.log"
    touch "$stamp"
  else
    cat "build/lint/$key.log"
    return 1
  fi
}

run_clang_tidy() {
  local candidates=() files=() file code=0
  mkdir -p build/lint/clean
  rm -f build/lint/unseen build/lint/*.log
  sources '*.h' | xargs sha256sum >build/lint/headers
  case ${1:-} in
    --all) mapfile -t candidates < <(sources '*.cc') ;;
    '') mapfile -t candidates < <(changed_sources) ;;
    *) candidates=("$@") ;;
  esac
  # What the build does not compile (a fuzz target, a benchmark without its library) has no flags to be read with.
  for file in ${candidates[@]+"${candidates[@]}"}; do
    if grep -qF "\"$root/$file\"" build/clang/compile_commands.json; then files+=("$file"); fi
  done
  say "${#files[@]} files"
  ((${#files[@]})) || return 0
  LINT_UNTIL=$(($(date +%s) + ${LINT_SECONDS:-1200}))
  export LINT_UNTIL
  export -f tidy_one say
  # shellcheck disable=SC2016 # expanded by the inner bash
  printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$jobs" bash -c 'tidy_one "$1"' tidy || code=1
  if [[ -e build/lint/unseen ]]; then
    say "Not looked at within ${LINT_SECONDS:-1200} s (LINT_SECONDS); run it again to go on:"
    sed 's/^/  /' build/lint/unseen
    code=1
  fi
  return $code
}

cmd_lint() {
  local passed=0 failed=0
  setup compile lint
  judge() {
    if "${@:2}"; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      say "FAILED: $1"
    fi
  }
  [[ ${CI:-} != true || $# -gt 0 ]] || set -- --all
  heading 'Formatting'
  mapfile -t formatted < <(sources '*.h' '*.cc')
  judge 'formatting (clang-format -i FILE mends it)' clang-format --dry-run -Werror "${formatted[@]}"
  heading "The tree's own rules"
  judge 'rules of the tree' python3 tests/tidy_test.py
  judge 'self-test of the rules' python3 tests/tidy_test.py --self-test
  if have shellcheck; then
    heading 'Shell scripts'
    mapfile -t scripts < <(sources dev .ci/run '*.sh' '*.sbatch')
    judge 'shellcheck' shellcheck "${scripts[@]}"
  fi
  heading 'Each header alone, with clang'
  configure clang
  judge 'headers' cmake --build --preset clang --target all_verify_interface_header_sets flotsam_build_info
  heading 'clang-tidy'
  judge 'clang-tidy' run_clang_tidy "$@"
  say '' "$passed passed, $failed failed"
  ((failed == 0))
}
