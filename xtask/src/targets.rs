//! `cargo xtask targets`: `core` compiles for other CPUs and systems than this one, without
//! `std` and without a warning.

use crate::process::{Failure, Tally, capture, cargo, locked, program, succeed};
use std::path::Path;

/// What each target is here for.
const TARGETS: [(&str, &str); 10] = [
    ("aarch64-apple-darwin", "another CPU with vectors"),
    ("aarch64-unknown-linux-gnu", "the same, elsewhere"),
    ("armv7-unknown-linux-gnueabihf", "32 bits"),
    ("i686-unknown-linux-gnu", "x86 of 32 bits"),
    ("s390x-unknown-linux-gnu", "the most significant byte first"),
    ("wasm32-unknown-unknown", "no stable `asm!`"),
    ("wasm32-wasip1", "the same, with files"),
    ("x86_64-pc-windows-gnu", "every tier, on another system"),
    (
        "x86_64-unknown-none",
        "x86-64 without SSE and without `std`",
    ),
    ("x86_64-unknown-uefi", "the same, as a driver"),
];

/// The features of core that each choose a family of algorithms.
const FAMILIES: [&str; 4] = ["aes-gcm-siv", "aes-siv", "chacha20-blake2b", "kuznyechik"];

/// The target that shows whether a dependency needs `std`: it has none.
const BARE: &str = "x86_64-unknown-none";

/// The names alone, a line each, for `rustup target add`.
pub(crate) fn list() {
    for (target, _) in TARGETS {
        println!("{target}");
    }
}

/// Checks every target that is installed.
pub(crate) fn run() -> Tally {
    let mut tally = Tally::default();
    let here = installed(&TARGETS.map(|(target, _)| target), &mut tally);
    let all = FAMILIES.join(",");
    tally.append("", check(&here, &all));
    tally.append("", check(&here, &format!("{all},alloc")));
    tally.append("", check(&[BARE], &format!("{all},alloc,aead,cipher")));
    for family in FAMILIES {
        tally.append("", check(&[BARE], &format!("{family},alloc,aead")));
        tally.append(
            "",
            check(&["x86_64-unknown-linux-gnu"], &format!("{family},std,aead")),
        );
    }
    tally
}

/// What every run of CI checks: one target of each kind, and each family alone.
pub(crate) fn of_each_kind() -> Tally {
    let mut tally = Tally::default();
    let kinds = [
        BARE,
        "armv7-unknown-linux-gnueabihf",
        "wasm32-unknown-unknown",
        "x86_64-pc-windows-gnu",
    ];
    let all = format!("{},alloc,aead,cipher", FAMILIES.join(","));
    let here = installed(&kinds, &mut tally);
    tally.append("", check(&here, &all));
    for family in FAMILIES {
        tally.append("", check(&[BARE], family));
    }
    tally
}

/// Those that the compiler has the library of.
fn installed<'t>(targets: &[&'t str], tally: &mut Tally) -> Vec<&'t str> {
    let (here, missing): (Vec<_>, Vec<_>) = targets.iter().partition(|t| is_installed(t));
    for target in missing {
        tally.add_not_run(&format!("core for {target}"), &library(target));
    }
    here
}

fn check(targets: &[&str], features: &str) -> Tally {
    let mut tally = Tally::default();
    if targets.is_empty() {
        return tally;
    }
    let name = |target: &str| format!("core with the features [{features}] for {target}");
    // At once, which keeps every core busy. But Cargo does not say which target a message
    // is about: if one fails, each is asked again.
    let all = compile(targets, features);
    for target in targets {
        let result = match &all {
            Ok(()) => Ok(()),
            Err(_) => compile(&[target], features),
        };
        tally.add_check(&name(target), &result);
    }
    tally
}

fn compile(targets: &[&str], features: &str) -> Result<(), Failure> {
    let mut command = cargo(&["check", "-p", "sivka", "--no-default-features"]);
    command.args(["--keep-going", "--features", features]);
    for target in targets {
        command.args(["--target", target]);
    }
    succeed(command.args(locked()).env("RUSTFLAGS", "-D warnings"))
}

/// What is wanted of a target that is not installed.
pub(crate) fn library(target: &str) -> String {
    format!("its library (rustup target add {target})")
}

/// Whether the compiler finds the standard library of a target.
pub(crate) fn is_installed(target: &str) -> bool {
    let mut command = program("rustc", &["--print", "target-libdir", "--target", target]);
    capture(&mut command).is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}
