//! `cargo xtask targets`: `core` compiles for other CPUs and systems than this one, without
//! `std` and without a warning.

use crate::process::{Failure, Tally, capture, cargo, locked, program, succeed};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The features of core that each choose a family of algorithms.
pub(crate) const ALL: &str = "aes-gcm-siv,aes-siv,chacha20-blake2b,kuznyechik";

/// The target that shows whether a dependency needs `std`: it has none.
const BARE: &str = "x86_64-unknown-none";

/// The machines that are not this one: `machines.toml`.
#[derive(Deserialize)]
pub(crate) struct Machines {
    /// Targets, and why each is one.
    compiled: BTreeMap<String, String>,
    pub(crate) emulated: Vec<Emulated>,
    pub(crate) lesser: Vec<Lesser>,
}

/// A machine for another target, and what runs there.
#[derive(Deserialize)]
pub(crate) struct Emulated {
    pub(crate) name: String,
    pub(crate) shows: String,
    pub(crate) emulator: String,
    #[serde(default)]
    pub(crate) linker: String,
    #[serde(default)]
    pub(crate) tiers: String,
    pub(crate) packages: String,
    pub(crate) crates: String,
    pub(crate) runs: Vec<String>,
}

/// A CPU of this kind that has less.
#[derive(Deserialize)]
pub(crate) struct Lesser {
    pub(crate) name: String,
    pub(crate) shows: String,
    pub(crate) tiers: String,
    pub(crate) next_wider: String,
    pub(crate) runs: String,
}

impl Machines {
    pub(crate) fn read() -> Self {
        toml::from_str(include_str!("../machines.toml")).expect("a test reads machines.toml")
    }
}

/// The names alone, a line each, for `rustup target add`.
pub(crate) fn list() {
    let compiled = Machines::read().compiled;
    compiled.keys().for_each(|name| println!("{name}"));
}

/// Checks every target that is installed.
pub(crate) fn run() -> Tally {
    let compiled = Machines::read().compiled;
    let targets: Vec<&str> = compiled.keys().map(String::as_str).collect();
    let mut tally = check(&targets, ALL);
    tally.append("", check(&targets, &format!("{ALL},alloc")));
    tally.append("", check(&[BARE], &format!("{ALL},alloc,aead,cipher")));
    for family in ALL.split(',') {
        tally.append("", check(&[BARE], &format!("{family},alloc,aead")));
        let features = format!("{family},std,aead");
        tally.append("", check(&["x86_64-unknown-linux-gnu"], &features));
    }
    tally
}

/// The targets of every run of CI: one of each kind, and each family alone.
pub(crate) fn of_each_kind() -> Tally {
    let kinds =
        [BARE, "armv7-unknown-linux-gnueabihf", "wasm32-unknown-unknown", "x86_64-pc-windows-gnu"];
    let mut tally = check(&kinds, &format!("{ALL},alloc,aead,cipher"));
    for family in ALL.split(',') {
        tally.append("", check(&[BARE], family));
    }
    tally
}

/// Checks the targets whose library the compiler has; prints the missing ones.
fn check(targets: &[&str], features: &str) -> Tally {
    let mut tally = Tally::default();
    let (here, missing): (Vec<_>, Vec<_>) = targets.iter().partition(|t| is_installed(t));
    for target in missing {
        tally.add_not_run(&format!("core for {target}"), &library(target));
    }
    // At once, which keeps every core busy. But Cargo does not say which target a message
    // is about: if one fails, each is asked again.
    let hold = here.is_empty() || compile(&here, features).is_ok();
    for target in here {
        let result = if hold { Ok(()) } else { compile(&[target], features) };
        let name = format!("core with the features [{features}] for {target}");
        tally.add_check(&name, &result);
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

/// The message for a target that is not installed.
pub(crate) fn library(target: &str) -> String {
    format!("its library (rustup target add {target})")
}

/// Whether the compiler finds the standard library of a target.
pub(crate) fn is_installed(target: &str) -> bool {
    let mut command = program("rustc", &["--print", "target-libdir", "--target", target]);
    capture(&mut command).is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}
