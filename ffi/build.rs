//! Gives the shared library the name under which programs look for it: it has a number
//! in it for each incompatible interface, `SIVKA_ABI_VERSION`.

use std::error::Error;
use std::{env, fs};

const SOURCE: &str = "src/version.rs";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={SOURCE}");
    let source = fs::read_to_string(SOURCE)?;
    let constant = source.lines().find_map(|line| {
        let value = line.strip_prefix("pub const SIVKA_ABI_VERSION: u32 = ")?;
        value.strip_suffix(';')
    });
    let abi = constant.ok_or("src/version.rs has no SIVKA_ABI_VERSION")?;
    let name = match env::var("CARGO_CFG_TARGET_OS")?.as_str() {
        // Threads that called it may end while it is closed: it stays.
        "linux" => format!("-soname,libsivka.so.{abi},-z,nodelete"),
        "macos" => format!("-install_name,@rpath/libsivka.{abi}.dylib"),
        _ => return Ok(()),
    };
    println!("cargo::rustc-cdylib-link-arg=-Wl,{name}");
    Ok(())
}
