//! The C interface is described once, in the sources of this crate. The header is written from
//! there, and committed: here both are compared. Other languages write what they say from the header.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "interface/header.rs"]
mod header;
#[path = "interface/table.rs"]
mod table;

use std::path::Path;
use std::{env, fs};
use table::Table;

/// Writes the header instead of comparing it; `cargo xtask interface` sets it.
const WRITE: &str = "SIVKA_WRITE_INTERFACE";

#[test]
fn the_header_says_what_the_source_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = header::header(folder, &Table::read(folder));
    let place = folder.join("include/sivka.h");
    if env::var_os(WRITE).is_some() {
        fs::write(&place, &made).unwrap();
    }
    let committed = fs::read_to_string(place).unwrap().replace("\r\n", "\n");
    let same = committed.lines().zip(made.lines());
    let line = same.take_while(|(one, other)| one == other).count() + 1;
    let outdated = format!("sivka.h is out of date from line {line} on: cargo xtask interface");
    assert!(committed == made, "{outdated}");
}

/// The names of arguments say which length is whose.
#[test]
fn every_buffer_has_its_length_after_it() {
    let table = Table::read(Path::new(env!("CARGO_MANIFEST_DIR")));
    let mut buffers = 0;
    for function in &table.functions {
        for (index, argument) in function.arguments.iter().enumerate() {
            if !argument.is_bytes {
                continue;
            }
            let after = function.arguments.get(index + 1);
            let after = after.map_or("", |argument| argument.name.as_str());
            let wanted = ["_len", "_capacity"].map(|end| format!("{}{end}", argument.name));
            let found = after == "capacity" || wanted.iter().any(|name| name == after);
            assert!(found, "{}: {}, {after}", function.name, argument.name);
            buffers += 1;
        }
    }
    assert!(buffers >= 45, "{buffers}");
}

/// A number's constant is called as its algorithm.
#[test]
fn every_algorithm_has_its_number() {
    let source = include_str!("../src/algorithm.rs");
    let constants = source.lines().filter_map(|line| line.strip_prefix("pub const SIVKA_"));
    let constants = constants.filter_map(|line| line.split_once(": AlgorithmNumber = "));
    assert_eq!(constants.clone().count(), sivka::Algorithm::all().len());
    for (constant, number) in constants {
        let number = number.trim_end_matches(';').parse().unwrap();
        let info = sivka_ffi::algorithm::sivka_inspect_algorithm(number);
        assert!(!info.is_null(), "{number} is not in NUMBERS");
        // SAFETY: static, with a static C string.
        let name = unsafe { std::ffi::CStr::from_ptr((*info).name) };
        assert_eq!(name.to_str().unwrap().to_uppercase().replace('-', "_"), constant);
    }
}

/// An error names an argument as a function has it, or a field as a structure has it.
#[test]
fn errors_name_arguments_that_there_are() {
    let table = Table::read(Path::new(env!("CARGO_MANIFEST_DIR")));
    let arguments: Vec<_> = table
        .functions
        .iter()
        .flat_map(|function| &function.arguments)
        .map(|argument| argument.name.as_str())
        .collect();
    assert!(table.named.len() > 40, "{}", table.named.len());
    for name in &table.named {
        let known = arguments.contains(&name.as_str()) || table.fields.contains(name);
        assert!(known, "no argument is {name}");
    }
}
