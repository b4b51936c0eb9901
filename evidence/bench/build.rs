//! Tells the bench how it was built, and builds OpenSSL when it is a peer.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(aes_backend, values(\"soft\"))");
    println!("cargo::rustc-check-cfg=cfg(kuznyechik_backend, values(\"soft\", \"compact_soft\"))");
    println!("cargo::rustc-check-cfg=cfg(polyval_backend, values(\"soft\"))");
    println!("cargo::rustc-check-cfg=cfg(chacha20_avx512)");

    // Records name the compiler and its flags; cargo runs this again when they change.
    let rustc = env::var("RUSTC").expect("cargo sets RUSTC");
    let version = output_of(Command::new(rustc).arg("--version"));
    println!("cargo::rustc-env=SIVKA_BENCH_RUSTC={}", version.trim());
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    println!("cargo::rustc-env=SIVKA_BENCH_RUSTFLAGS={}", flags.replace('\x1f', " "));
    let mut features: Vec<String> = env::vars()
        .filter_map(|(name, _)| name.strip_prefix("CARGO_FEATURE_").map(str::to_lowercase))
        .filter(|name| name != "default")
        .collect();
    features.sort();
    println!("cargo::rustc-env=SIVKA_BENCH_FEATURES={}", features.join(","));

    #[cfg(feature = "openssl")]
    openssl::build();
}

/// The output of `command`.
fn output_of(command: &mut Command) -> String {
    let output =
        command.output().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    assert!(output.status.success(), "{command:?} fails: {output:?}");
    String::from_utf8(output.stdout).expect("the output is text")
}

/// OpenSSL from source.
///
/// BoringSSL has hundreds of functions of the same names and does not rename
/// them, so one of the two must: every symbol of libcrypto gets a prefix.
#[cfg(feature = "openssl")]
mod openssl {
    use super::output_of;
    use std::path::PathBuf;
    use std::process::Command;
    use std::{env, fs};

    const PREFIX: &str = "openssl_peer_";

    pub(super) fn build() {
        let tool = |variable, name: &str| env::var(variable).unwrap_or_else(|_| name.to_owned());
        let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
        let built = openssl_src::Build::new().build();
        let libcrypto = built.lib_dir().join("libcrypto.a");

        let symbols = output_of(
            Command::new(tool("NM", "nm"))
                .args(["--extern-only", "--defined-only", "--format=posix"])
                .arg(&libcrypto),
        );
        let mut renames = String::new();
        for line in symbols.lines() {
            // "name type value size"; lines of one word name the archive's members.
            if let Some((name, _)) = line.split_once(' ') {
                renames += &format!("{name} {PREFIX}{name}\n");
            }
        }
        let list = out.join("renames");
        fs::write(&list, renames).expect("OUT_DIR is writable");
        output_of(
            Command::new(tool("OBJCOPY", "objcopy"))
                .arg(format!("--redefine-syms={}", list.display()))
                .arg(&libcrypto)
                .arg(out.join("libopenssl_peer.a")),
        );
        println!("cargo::rustc-link-search=native={}", out.display());
        println!("cargo::rustc-link-lib=static=openssl_peer");
    }
}
