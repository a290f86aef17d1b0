#!/usr/bin/env bash
# Installs the Debian packages that Accrue is built with, where they are missing.
#
# usage: scripts/install-deps.sh [--format]
#
# --format adds what `make format` needs. When everything is there, nothing but
# dpkg-query is called, so that a build needs no network and no privileges. LLVM
# and MLIR 22 are in Debian 12's security archive, which is among the default sources.

set -euo pipefail

packages=(
  g++ make cmake ninja-build ccache python3
  llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools lld-22
  libclang-22-dev
  libfmt-dev nlohmann-json3-dev
  libopenblas0-openmp
  libgtest-dev libgmock-dev
)
case "${1:-}" in
  "") ;;
  --format) packages+=(clang-format-22 git) ;;
  *) echo "usage: $0 [--format]" >&2; exit 2 ;;
esac

fail() {
  echo "install-deps: $*" >&2
  exit 1
}

command -v dpkg-query >/dev/null ||
  fail "this system has no dpkg; install these packages' equivalents by hand: ${packages[*]}"

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

has_candidate() {
  local candidate
  candidate=$(LC_ALL=C apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: //p')
  [ -n "$candidate" ] && [ "$candidate" != "(none)" ]
}

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
echo "install-deps: installing ${missing[*]}"

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null ||
    fail "neither root nor sudo; run as root: apt-get install ${missing[*]}"
  as_root=(sudo)
fi
apt_get() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o Acquire::Retries=3 "$@" </dev/null
}
install() {
  apt_get install --no-install-recommends "${missing[@]}"
}

# The package lists are fetched only if they lack something, or name a version
# that the archive has dropped since.
updated=false
for package in "${missing[@]}"; do
  if ! has_candidate "$package" && ! $updated; then
    apt_get update || fail "apt-get update failed"
    updated=true
  fi
  has_candidate "$package" || fail "no package '$package' in the configured sources; Accrue expects Debian 12 (bookworm)" \
    "with its security archive (deb http://deb.debian.org/debian-security bookworm-security main)"
done
install || {
  ! $updated && apt_get update && install
} || fail "apt-get install failed"
