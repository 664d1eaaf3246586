#!/usr/bin/env bash
# The model against Kafka's own classes: builds the judge (tests/conformance/judge) for each version, runs every script,
# compares with the goldens or renews them, and lets the model's runner compare itself.
# Sourced by ./dev, which defines the common names.
# shellcheck disable=SC2154
set -euo pipefail

conformance=tests/conformance
judged_versions=(3.9 4.0 4.2 4.3)

# The judge of this version stands, is newer than its sources, and its jars are all there: no Maven needed.
judge_is_built() {
  local folder=build/conformance/$1 jar jars
  [[ -e $folder/built ]] || return 1
  [[ -z $(find $conformance/judge -type f -newer "$folder/built" -print -quit) ]] || return 1
  IFS=: read -ra jars <"$folder/classpath"
  for jar in "${jars[@]}"; do [[ -e $jar ]] || return 1; done
}

maven() {
  mvn --batch-mode --quiet --no-transfer-progress --file $conformance/judge/pom.xml "$@"
}

# First with what the local repository has, so that this works without network; then with network.
build_judge() {
  local version=$1 folder=build/conformance/$1
  judge_is_built "$version" && return 0
  rm -rf "$folder"
  mkdir -p "$folder"
  maven --offline --activate-profiles "$version" process-classes >"$folder.log" 2>&1 ||
    maven --activate-profiles "$version" process-classes >"$folder.log" 2>&1 || return 1
  touch "$folder/built"
}

# Nothing but names of jars that are missing comes from a repository; what the compiler says is an error of the judge.
judge_does_not_resolve() {
  grep -qE 'Could not (resolve|transfer|find)|could not be resolved|Cannot access|Unknown host' \
    "build/conformance/$1.log"
}

# judge_java VERSION CLASS ARGUMENT...
judge_java() {
  local version=$1 class=$2 folder=build/conformance/$1
  shift 2
  mkdir -p "$folder/tmp"
  java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djava.io.tmpdir="$root/$folder/tmp" \
    -cp "$folder/classes:$(<"$folder/classpath")" "flotsam.judge.$class" "$@"
}

run_judge() {
  rm -rf "build/conformance/$1/out"
  judge_java "$1" Main $conformance "build/conformance/$1/out" "$1"
}

# Prints the differences of one version, or makes the goldens anew. Adds to `differences` and `events`.
compare_goldens() {
  local version=$1 out=build/conformance/$1/out write=$2 file name golden
  for file in "$out"/*.out; do
    name=$(basename "$file" .out)
    golden=$conformance/$name.golden
    events=$((events + $(wc -l <"$file") - 1))
    cmp -s "$file" "$golden" && continue
    if [[ $write == yes ]]; then
      cp "$file" "$golden"
      say "  wrote $golden"
    else
      differences=$((differences + 1))
      [[ -e $golden ]] || say "  $golden is missing; ./dev conformance --write makes it"
      [[ ! -e $golden ]] || diff -u "$golden" "$file" | head -n 40 || true
    fi
  done
  for golden in "$conformance"/*."$version.golden"; do
    [[ -e $golden ]] || continue
    name=$(basename "$golden" .golden)
    [[ ! -e $out/$name.out ]] || continue
    if [[ $write == yes ]]; then
      rm -- "$golden"
      say "  removed $golden, which no script makes"
    else
      differences=$((differences + 1))
      say "  $golden: no script makes it"
    fi
  done
}

# The model's own run of the scripts of one folder; it prints its differences, which are added to `differences`.
run_model() {
  local folder=$1 runner=build/release/conformance_runner code=0 found
  if [[ ! -d $conformance/runner ]]; then
    say 'The model was not compared: tests/conformance has no runner.'
    return 0
  fi
  setup compile
  build release conformance_runner
  [[ -x $runner ]] || runner=$(find build/release -type f -name conformance_runner -perm -u+x | head -n 1)
  "$runner" "$folder" "$folder" 2>&1 | tee build/conformance/model.log || code=${PIPESTATUS[0]}
  found=$(sed -n 's/^scripts .* differences \([0-9]*\)$/\1/p' build/conformance/model.log | tail -n 1)
  differences=$((differences + ${found:-0}))
  return "$code"
}

# Scripts made by chance, a few hundred a version; what Kafka says of them is no golden, the model looks at once.
random_conformance() {
  local count=$1 seed=$2 folder=build/conformance/random version judged=0 differences=0
  rm -rf "$folder"
  for version in "${judged_versions[@]}"; do
    heading "Kafka $version, $count scripts from seed $seed"
    build_judge "$version" || continue
    judge_java "$version" RandomScripts "$seed" "$count" $folder "$version" || return "$exit_failed"
    judged=$((judged + 1))
  done
  ((judged > 0)) || fail "$exit_harness" 'No version could be judged: build/conformance/*.log say why.'
  heading 'The model'
  run_model $folder
}

cmd_conformance() {
  local write=no version judged=0 code=0 events=0 differences=0 scripts
  if [[ ${1:-} == --write ]]; then
    write=yes
    shift
  fi
  mkdir -p build/conformance
  if [[ ${1:-} == --random && ${2:-} =~ ^[1-9][0-9]*$ && ${3:-1} =~ ^[0-9]+$ && $# -le 3 ]]; then
    setup conformance
    random_conformance "$2" "${3:-1}"
    return
  fi
  (($# == 0)) || fail "$exit_usage" 'usage: ./dev conformance [--write | --random COUNT [SEED]]'
  setup conformance
  local -A result=()
  for version in "${judged_versions[@]}"; do
    heading "Kafka $version"
    if ! build_judge "$version"; then
      if judge_does_not_resolve "$version"; then
        result[$version]="not judged: Maven cannot get its jars (build/conformance/$version.log)"
      else
        grep ERROR "build/conformance/$version.log" | head -n 20 >&2 || true
        result[$version]='the judge does not compile'
        code=$exit_failed
      fi
      say "${result[$version]}"
      continue
    fi
    judged=$((judged + 1))
    if ! run_judge "$version"; then
      result[$version]='judged in part: a script failed (above)'
      code=$exit_failed
      continue
    fi
    compare_goldens "$version" $write
    result[$version]="judged by kafka $(sed -n '1s/# kafka //p' "$(first_output "$version")")"
    say "${result[$version]}"
  done
  ((judged > 0)) || fail "$exit_harness" \
    'No version could be judged: there is neither network nor a local repository that has the jars.' \
    'What Maven says is in build/conformance/*.log. ./dev test compares the model with the goldens all the same.'
  heading 'The model'
  run_model $conformance || code=$exit_failed
  heading 'Conformance'
  for version in "${judged_versions[@]}"; do printf '%-22s %s\n' "$version" "${result[$version]}"; done
  printf '%-22s not judged: %s\n' kafka-3.6 'its tasks are another class; only written facts hold it' \
    kip-dangling 'proposed; no jar has it' kip-dangling-recovery 'proposed; no jar has it'
  scripts=$(find $conformance -maxdepth 1 -name '*.script' | wc -l)
  ((differences == 0)) || code=$exit_failed
  say '' "$judged of ${#judged_versions[@]} versions judged, $scripts scripts, $events events compared,\
 $differences differences"
  return "$code"
}

first_output() {
  find "build/conformance/$1/out" -name '*.out' | head -n 1
}
