//! The committed header is what cbindgen makes of the source.

use std::path::Path;
use std::{env, fs};

/// Writes the header instead of comparing it; `cargo xtask header` sets it.
const WRITE: &str = "SIVKA_WRITE_HEADER";

#[test]
fn the_header_is_what_the_source_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let mut made = Vec::new();
    cbindgen::generate_with_config(folder, config)
        .unwrap()
        .write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let path = folder.join("include/sivka.h");
    if env::var_os(WRITE).is_some() {
        fs::write(&path, &made).unwrap();
    }
    let committed = fs::read_to_string(&path)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    let differing = committed
        .lines()
        .zip(made.lines())
        .position(|(one, other)| one != other);
    assert!(
        committed == made,
        "include/sivka.h is out of date from line {} on: cargo xtask header",
        differing.map_or(
            committed.lines().count().min(made.lines().count()),
            |line| line
        ) + 1
    );
}
