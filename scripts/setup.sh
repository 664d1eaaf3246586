#!/usr/bin/env bash
# Finds what this system lacks for a command and installs it with apt: only what is missing, and only packages of the
# distribution.
# Sourced by ./dev, which defines the common names.
# shellcheck disable=SC2154
set -euo pipefail

# Packages that are missing, as PACKAGE|REASON.
missing=()

want() {
  local package=$1 reason=$2
  shift 2
  "$@" || missing+=("$package|$reason")
}

prefixes() {
  local prefix
  IFS=':;' read -ra given <<<"${CMAKE_PREFIX_PATH:-}"
  for prefix in ${given[@]+"${given[@]}"} ${BOOST_ROOT:-} ${Boost_ROOT:-} /usr/local /usr; do
    [[ -d $prefix ]] && printf '%s\n' "$prefix"
  done
  return 0
}

has_header() {
  local prefix
  while read -r prefix; do
    [[ -e $prefix/include/$1 ]] && return 0
  done < <(prefixes)
  return 1
}

has_library() {
  local prefix
  while read -r prefix; do
    compgen -G "$prefix/lib/lib$1.*" >/dev/null && return 0
    compgen -G "$prefix/lib64/lib$1.*" >/dev/null && return 0
    compgen -G "$prefix/lib/*-linux-gnu*/lib$1.*" >/dev/null && return 0
  done < <(prefixes)
  return 1
}

# Asks CMake itself, for installations in places that the quick look does not know.
cmake_finds() {
  has_cmake && has_compiler || return 1
  local generator='Unix Makefiles'
  have ninja && generator=Ninja
  rm -rf build/setup/probe
  mkdir -p build/setup/probe
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(probe CXX)\n%s\n' "$1" >build/setup/probe/CMakeLists.txt
  cmake -G "$generator" -S build/setup/probe -B build/setup/probe/build >build/setup/probe.log 2>&1
}

has_cmake() {
  have cmake || return 1
  local version
  version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
  local major=${version% *} minor=${version#* }
  ((major > 3 || (major == 3 && minor >= 25)))
}

has_compiler() {
  if [[ -n ${CXX:-} ]]; then have "${CXX%% *}"; else have c++ || have g++ || have clang++; fi
}

# The installed Boost as 1.74; nothing when there is none.
boost_version() {
  local prefix number
  while read -r prefix; do
    [[ -e $prefix/include/boost/version.hpp ]] || continue
    number=$(sed -n 's/^#define BOOST_VERSION \([0-9]*\).*/\1/p' "$prefix/include/boost/version.hpp")
    [[ -n $number ]] && printf '%d.%d\n' $((number / 100000)) $((number / 100 % 1000))
    return 0
  done < <(prefixes)
}

has_boost() {
  local component=$1 version minor
  version=$(boost_version)
  minor=${version#*.}
  if [[ -n $version ]] && { ((${version%%.*} > 1)) || ((minor >= 74)); } && has_library "boost_$component"; then
    return 0
  fi
  cmake_finds "find_package(Boost 1.74 REQUIRED COMPONENTS $component)"
}

# Another Boost would push out the one that is installed; so its own packages come first.
boost_package() {
  local version
  version=$(boost_version)
  if [[ -n $version ]] && have apt-cache && apt-cache show "libboost-$1$version-dev" >/dev/null 2>&1; then
    say "libboost-$1$version-dev"
  else
    say "libboost-$1-dev"
  fi
}

has_fmt() { { has_header fmt/format.h && has_library fmt; } || cmake_finds 'find_package(fmt REQUIRED)'; }
has_fccp() { has_header libfccp/csv.h || cmake_finds 'find_path(FCCP_INCLUDE_DIR libfccp/csv.h REQUIRED)'; }
has_benchmark() {
  { has_header benchmark/benchmark.h && has_library benchmark; } || cmake_finds 'find_package(benchmark REQUIRED)'
}
has_zstd() {
  { has_header zstd.h && has_library zstd; } ||
    cmake_finds 'find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)'
}
has_zlib() { { has_header zlib.h && has_library z; } || cmake_finds 'find_package(ZLIB REQUIRED)'; }
has_node() {
  local version
  have npm && { have node || have nodejs; } || return 1
  version=$(node --version 2>/dev/null || nodejs --version)
  version=${version#v}
  ((${version%%.*} >= 18))
}
has_browser() { have chromium || have chromium-browser || have google-chrome || [[ -n ${CHROMIUM:-} ]]; }
has_jdk() {
  local version
  have java && have javac || return 1
  version=$(javac -version 2>&1)
  version=${version#javac }
  ((${version%%.*} >= 17))
}
has_clang_runtime() {
  have clang++ || return 1
  local folder
  folder=$(clang++ -print-resource-dir)
  compgen -G "$folder/lib/*/libclang_rt.fuzzer*" >/dev/null
}
has_yaml() { python3 -c "import yaml" >/dev/null 2>&1; }
has_slurm() {
  local PATH=$PATH:/usr/sbin:/sbin
  have slurmctld && have slurmd && have sbatch
}
has_munge() {
  local PATH=$PATH:/usr/sbin:/sbin
  have munged && have munge
}
clang_runtime_package() {
  local version=''
  if have clang++; then
    version=$(clang++ -dumpversion)
  elif have apt-cache; then
    version=$(LC_ALL=C apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1)
  fi
  say "libclang-rt-${version:+${version%%.*}-}dev"
}

look_for() {
  local what
  for what in "$@"; do
    case $what in
      compile)
        want g++ 'compiles the program' has_compiler
        want cmake 'builds (3.25 or newer)' has_cmake
        want ninja-build 'builds in parallel' have ninja
        want "$(boost_package test)" 'runs the C++ tests' has_boost unit_test_framework
        want "$(boost_package program-options)" 'reads the command line and scenarios' has_boost program_options
        want libfmt-dev 'formats text' has_fmt
        want libfccp-dev 'reads CSV files' has_fccp
        want zlib1g-dev 'packs the page of a report, reads packed dumps' has_zlib
        want libzstd-dev 'reads packed dumps' has_zstd
        ;;
      page)
        want nodejs 'bundles the page of a report (18 or newer)' has_node
        want npm 'fetches what the page is made with' has_node
        ;;
      test)
        want python3 "runs the tests of the tree's own rules" have python3
        want chromium 'looks at the page' has_browser
        ;;
      lint)
        want python3 "checks the tree's own rules" have python3
        want clang 'second compiler' have clang++
        want clang-format 'checks formatting' have clang-format
        want clang-tidy 'finds mistakes' have clang-tidy
        ;;
      matrix)
        want g++ 'first compiler' have g++
        want clang 'second compiler' have clang++
        want python3 'compares the traces' have python3
        ;;
      fuzz)
        want clang 'compiles fuzz targets' have clang++
        want "$(clang_runtime_package)" 'the fuzzer itself' has_clang_runtime
        ;;
      bench) want libbenchmark-dev 'measures' has_benchmark ;;
      conformance)
        want default-jdk-headless "compiles and runs the judge with Kafka's classes (17 or newer)" has_jdk
        want maven "gets Kafka's jars" have mvn
        ;;
      cluster)
        want python3 'starts the cluster and looks at what it did' have python3
        want python3-yaml "reads the engines' files" has_yaml
        want slurm-wlm 'the cluster: nodes on loopback, ended again with the test' has_slurm
        want munge 'lets its daemons trust each other' has_munge
        ;;
      *)
        fail "$exit_usage" \
          "setup knows compile, page, test, lint, matrix, fuzz, bench, conformance, cluster, not '$what'"
        ;;
    esac
  done
}

as_root() {
  if ((EUID == 0)); then
    env -u TMPDIR DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"
  else
    sudo env -u TMPDIR DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"
  fi
}

can_be_root() { ((EUID == 0)) || have sudo; }

apt_options=(-o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20
  -o DPkg::Lock::Timeout=300)

read_package_lists() {
  say '(Reading the package lists, apt-get update; this installs nothing.)'
  as_root apt-get update -q "${apt_options[@]}" >build/setup/apt-update.log 2>&1 || true
}

simulate() {
  LC_ALL=C apt-get install --simulate --no-install-recommends --no-remove "$@" >build/setup/apt-simulate.log 2>&1
}

# What the last simulation would install, as `12 packages, 61 MB to download, 240 MB on disk`.
size_of_simulation() {
  local packages
  packages=$(sed -nE 's/^Inst ([^ ]+) (\[[^]]*\] )?\(([^ ]+) .*/\1=\3/p' build/setup/apt-simulate.log)
  # shellcheck disable=SC2086 # one word a package
  LC_ALL=C apt-cache show --no-all-versions $packages 2>/dev/null | awk '
    /^Package:/ {fresh = !seen[$2]++; packages += fresh}
    /^Size:/ && fresh {download += $2}
    /^Installed-Size:/ && fresh {disk += $2}
    END {printf "%d packages, %.0f MB to download, %.0f MB on disk", packages, download / 1e6, disk * 1024 / 1e6}'
}

cannot_install() {
  local packages=$1
  shift
  printf '\n' >&2
  fail "$exit_harness" "$@" 'What is missing:' "  $packages" \
    'On Debian or Ubuntu this installs it, once there is network:' \
    "  apt-get update && apt-get install --no-install-recommends $packages"
}

run_apt_install() {
  as_root apt-get install -y -q --no-install-recommends --no-remove "${apt_options[@]}" "$@" 2>&1 |
    tee build/setup/apt-install.log | grep --line-buffered -E '^(Get:|Setting up )' || return "${PIPESTATUS[0]}"
}

agree() {
  [[ ${CI:-} != true && -t 0 ]] || return 0
  local answer
  read -r -p 'Install this now? [y/N] ' answer
  [[ $answer == [yYjJ]* ]]
}

setup() {
  missing=()
  look_for "$@"
  ((${#missing[@]})) || return 0

  local entry packages=()
  heading 'Set-up: this system lacks'
  if have apt-get && ! compgen -G '/var/lib/apt/lists/*Packages*' >/dev/null; then
    # Which packages fit what is installed is known from the lists only.
    if can_be_root; then read_package_lists; fi
    missing=()
    look_for "$@"
  fi
  for entry in "${missing[@]}"; do
    [[ " ${packages[*]-} " == *" ${entry%%|*} "* ]] && continue
    packages+=("${entry%%|*}")
    printf '  %-32s %s\n' "${entry%%|*}" "${entry#*|}"
  done

  have apt-get ||
    cannot_install "${packages[*]}" 'There is no apt-get here; please install the equivalents of these packages.'
  can_be_root || cannot_install "${packages[*]}" 'Installing needs root, and there is no sudo.'
  if ! simulate "${packages[@]}"; then
    read_package_lists
    simulate "${packages[@]}" || {
      grep '^E: ' build/setup/apt-simulate.log >&2 || true
      grep -E '^(E|W|Err)' build/setup/apt-update.log | head -n 4 >&2 || true
      cannot_install "${packages[*]}" 'apt cannot install this: no network, or packages exclude each other (see above).'
    }
  fi
  say "Packages of the distribution, with what they depend on: $(size_of_simulation). Nothing is removed."
  agree || fail "$exit_harness" 'Nothing was installed, and nothing done.'

  if ! run_apt_install "${packages[@]}"; then
    read_package_lists  # The lists may have been older than the archive.
    run_apt_install "${packages[@]}" || {
      grep '^E: ' build/setup/apt-install.log | tail -n 3 >&2 || true
      cannot_install "${packages[*]}" 'apt-get failed: no network? Its output is in build/setup/apt-install.log.'
    }
  fi
  hash -r
  missing=()
  look_for "$@"
  ((${#missing[@]} == 0)) || fail "$exit_harness" 'Installed, and still not found:' "${missing[@]/|/: }"
}
