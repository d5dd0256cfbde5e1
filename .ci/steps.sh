# What .ci/run and .ci/deep have in common. Both source it from the root of the repository.

packages='./... ./bench/... ./clients/... ./faults/... ./npm/...' # ./... does not enter the modules below this one
in_browser() { (cd browser && GOWORK=off "$@"); }  # go.work leaves this module out

staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2

scratch=$(mktemp -d)
memory= # a folder in memory; "" if the machine has too little of it
step= times=
finish() {
  local code=$?
  if [ -n "$step" ]; then printf '\n== failed after %d s: %s\n' $((SECONDS - begun)) "$step" >&2; fi
  rm -rf "$scratch" ${memory:+"$memory"}
  return "$code"
}
trap finish EXIT

# step NAME ends the step before and begins the next one.
step() {
  end_step
  step="$*" begun=$SECONDS
  printf '\n== %s\n' "$step"
}

end_step() {
  if [ -z "$step" ]; then return; fi
  times+=$(printf '%5d s  %s' $((SECONDS - begun)) "$step")$'\n'
  printf '== %d s: %s\n' $((SECONDS - begun)) "$step"
  step=
}

# Most tests write many small files and do not need a disk: in memory nothing waits for fsync.
free=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }' || true)
if [ "${free:-0}" -gt 4000000 ]; then
  memory=$(mktemp -d /dev/shm/forgemind-ci.XXXXXX)
  chmod 755 "$memory" # some tests act as another user, who has to reach the trees in it
fi
in_memory() { TMPDIR=${memory:-${TMPDIR:-/tmp}} "$@"; }

# install PACKAGE:PROGRAM... installs the Debian packages whose programs are missing.
install() {
  local pair packages=()
  for pair; do
    command -v "${pair#*:}" >/dev/null || packages+=("${pair%:*}")
  done
  if [ ${#packages[@]} = 0 ]; then return; fi
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null && return
  fi
  printf 'missing, and cannot be installed here: %s\n' "${packages[*]}" >&2
  return 1
}

export GOFLAGS="${GOFLAGS:+$GOFLAGS }-trimpath" # so that the build cache serves every clone
export GORACE=atexit_sleep_ms=0 # without it each process under the race detector waits a second at its end
