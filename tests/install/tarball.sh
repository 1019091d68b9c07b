#!/usr/bin/env bash
# tarball.sh BUILD SOURCE: packs the build as scripts/tarball does, unpacks it in a system that has only
# glibc and a shell, in a directory whose name has a space, and runs rounds there as an unprivileged user.
# Needs root, to create this system.
set -uo pipefail
build=$1
source=$2
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

check() {
    local what=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $what"
        cat "$work/log"
    fi
}

# pack UMASK SOURCE DIRECTORY
pack() {
    (umask "$1" && "$2/scripts/tarball" --build "$build" "$work/$3")
}
check "pack" pack 022 "$source" out
# again, in a clone with changes that are not committed
check "clone" git clone -q --shared "$source" "$work/clone"
cp "$source"/scripts/* "$work/clone/scripts/"
echo 1 | tee "$work/clone/python/hagg/new.py" "$work/clone/debian/changelog" >>"$work/clone/python/hagg/__init__.py"
check "pack again" pack 077 "$work/clone" again
name=$(basename "$work"/out/*.tar.gz .tar.gz)
check "the same bytes twice" cmp "$work/out/$name.tar.gz" "$work/again/$name.tar.gz"
check "the sum" env -C "$work/out" sha256sum --strict -c "$name.tar.gz.sha256"

# a system with a shell and glibc
root=$work/root
copy() {
    mkdir -p "$root$(dirname "$1")" && cp -L "$1" "$root$1"
}
interpreter=$(readelf -l "$build/bin/hagg" | sed -n 's/.*interpreter: \(.*\)]/\1/p')
glibc=$(dirname "$(ldd "$build/bin/hagg-share" | sed -n 's,.*libc\.so\.6 => \(/.*\) (.*,\1,p')")
check "the loader" copy "$interpreter"
check "libc" copy "$glibc/libc.so.6"
check "libm" copy "$glibc/libm.so.6"
mkdir -p "$root/bin" "$root/proc" "$root/home/some user/round"
cp -L /bin/dash "$root/bin/sh"
cp "$source/tests/install/round.sh" "$root/home/"
check "unpack" tar -x -C "$root/home/some user" -f "$work/out/$name.tar.gz"
chmod 755 "$work"
chown 65534:65534 "$root/home/some user/round"

# inside COMMAND: runs a shell command in that system, in an empty directory
inside() {
    # shellcheck disable=SC2016 # expanded inside
    unshare --mount --pid --fork sh -c 'mount -t proc proc "$1/proc" && exec env -i "PATH=/home/some user/$2/bin" \
        /usr/sbin/chroot --userspec=65534:65534 "$1" /bin/sh -c "cd \"/home/some user/round\" && $3"' sh "$root" "$name" "$1"
}
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
check "rounds on a system with nothing but glibc" inside /home/round.sh

# here: the libraries are those of the tarball; without its libcrypto, that of the system
mv "$root/home/some user/$name" "$work/hagg"
from() {
    LC_ALL=C ldd "$work/hagg/bin/hagg-share" | sed -n "s,.*$1[.0-9a-z]* => \(/.*/\)[^/]* (.*,\1,p" | xargs realpath
}
for library in libcbor libxxhash libcrypto; do
    check "$library is that of the tarball" test "$(from $library)" = "$work/hagg/lib/bundled"
done
check "a licence of each library" test "$(find "$work/hagg/share/doc/hagg/bundled" -name copyright | wc -l)" = \
    "$(find "$work/hagg/lib/bundled" -type f | wc -l)"
rm "$work"/hagg/lib/bundled/libcrypto.so.*
check "libcrypto is that of the system" test "$(from libcrypto)" != "$work/hagg/lib/bundled"
check "a command runs with it" "$work/hagg/bin/hagg-keygen" --identity "$work/client.pem" --client 1

export PKG_CONFIG_PATH=$work/hagg/lib/pkgconfig
check "a plugin builds and conforms" make -C "$work/hagg/share/doc/hagg/examples/plugin" check
check "the links of the pages" /usr/bin/python3 -B "$source/tests/install/documentation.py" --installed \
    "$work/hagg/share/doc/hagg"
mkdir "$work/python"
check "rounds with the Python package" env -C "$work/python" PYTHONPATH="$work/hagg/lib/python" \
    PATH="$work/hagg/bin:$PATH" /usr/bin/python3 -B "$source/tests/install/python_round.py" "$work/hagg/lib/python"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
