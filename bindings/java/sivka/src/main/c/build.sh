#!/bin/sh
# Builds the native library for this machine: build.sh FOLDER GENERATED
#
# Writes what Java and C say of sivka.h to GENERATED, and FOLDER/<os>-<arch>/libsivka_java.so
# (.dylib on macOS): the C ABI of Sivka and the shim in this folder, in one file that exports
# JNI_OnLoad and nothing else.
#
# JAVA_HOME             the JDK whose jni.h is used, and which writes GENERATED
# SIVKA_STATIC_LIBRARY  a libsivka_ffi.a that is there already; otherwise cargo builds it
# CC                    the C compiler, `cc` if unset
set -eu
out=$1 generated=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../../../../../.." && pwd)

library=${SIVKA_STATIC_LIBRARY:-}
if [ -z "$library" ]; then
    (cd "$root" && cargo build --quiet --release --locked -p sivka-ffi)
    library=${CARGO_TARGET_DIR:-$root/target}/release/libsivka_ffi.a
fi
if ! [ -f "$library" ]; then
    echo "build.sh: there is no static library at $library" >&2
    exit 1
fi

case $(uname -m) in
x86_64 | amd64) arch=x86_64 ;;
aarch64 | arm64) arch=aarch64 ;;
*) arch=$(uname -m) ;;
esac
case $(uname -s) in
Linux)
    platform=linux-$arch name=libsivka_java.so jni=linux
    # Local to the library, and only what is reached from JNI_OnLoad. Threads that called it may
    # end while a class loader closes it: it stays.
    link='-shared -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,-z,now,-z,relro,-z,defs,-z,nodelete -Wl,-s'
    libraries='-lgcc_s -lm -lpthread -ldl -lc'
    ;;
Darwin)
    platform=macos-$arch name=libsivka_java.dylib jni=darwin
    link='-dynamiclib -Wl,-exported_symbol,_JNI_OnLoad -Wl,-dead_strip -Wl,-x'
    libraries=
    ;;
*)
    echo "build.sh: not a platform that this script knows: $(uname -s)" >&2
    exit 1
    ;;
esac

"$JAVA_HOME/bin/java" "$here/../../build/WriteHeader.java" "$root/ffi/include/sivka.h" "$generated"
mkdir -p "$out/$platform"
# Beside its place first: a broken build leaves no library behind.
# shellcheck disable=SC2086 # lists of words
"${CC:-cc}" -std=c99 -O2 -fPIC -fvisibility=hidden -ffunction-sections -pthread \
    -Wall -Wextra -Werror \
    -I "$generated" -I "$root/ffi/include" -I "$JAVA_HOME/include" -I "$JAVA_HOME/include/$jni" \
    "$here"/*.c "$library" $link $libraries -o "$out/$platform/$name.new"
mv "$out/$platform/$name.new" "$out/$platform/$name"
