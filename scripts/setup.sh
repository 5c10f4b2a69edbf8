# SPDX-License-Identifier: BSD-3-Clause
# What scripts/test and scripts/demo share: dependencies and builds. To be sourced.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Debian's Python has the modules that tests and demo use (otf2, mpi4py, h5py, pytest).
python=/usr/bin/python3

# To build and demonstrate.
packages="gcc make autoconf automake libtool pkg-config libopenmpi-dev openmpi-bin
    libopen-trace-format2-dev otf2-tools python3-otf2 libunwind-dev libdw-dev uthash-dev
    libjansson-dev python3-mpi4py python3-h5py-mpi"

# To test besides.
test_packages="g++ gfortran mpich libmpich-dev python3-pytest python3-jsonschema libhdf5-openmpi-dev
    libpnetcdf-dev pnetcdf-bin libnetcdf-mpi-dev"

# Installs those of the given packages that are missing, or names them where that cannot be.
install_packages() {
    local missing=() package
    if ! command -v dpkg-query >/dev/null; then
        echo "Not a Debian system: the programs and libraries of these packages must be here:" $*
        return
    fi
    for package in $*; do
        dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q 'ok installed' ||
            missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    if [ "$(id -u)" -ne 0 ]; then
        echo "Missing packages; install them with: sudo apt-get install ${missing[*]}" >&2
        exit 1
    fi
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# build DIR [configure argument...]: an out-of-tree build, brought up to date.
build() {
    local dir=$1
    shift
    [ -x "$top/configure" ] && [ ! "$top/configure.ac" -nt "$top/configure" ] &&
        [ ! "$top/Makefile.am" -nt "$top/Makefile.in" ] ||
        (cd "$top" && mkdir -p m4 && autoreconf -fi >/dev/null 2>&1) || {
        echo "autoreconf failed; run it in $top to see why" >&2
        exit 1
    }
    mkdir -p "$dir"
    (cd "$dir" && { [ -f Makefile ] || "$top/configure" -q "$@"; } &&
        make -s -j"$(nproc)" V=1 LIBTOOLFLAGS=--silent) || exit 1
}
