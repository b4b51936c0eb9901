//! The C interface is described once, in the sources of this crate. What other languages say
//! of it is written from there, and committed: here both are compared.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "interface/header.rs"]
mod header;
#[path = "interface/java.rs"]
mod java;
#[path = "interface/table.rs"]
mod table;

use std::path::Path;
use std::{env, fs};
use table::Table;

/// Writes the files instead of comparing them; `cargo xtask interface` sets it.
const WRITE: &str = "SIVKA_WRITE_INTERFACE";

/// What is on top of every file that is written here.
const NOTE: &str = "Written from the crate sivka-ffi by `cargo xtask interface`; do not edit.";

/// Every file that is written, from the top of the project, with its content.
fn files() -> Vec<(&'static str, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = Table::read(folder);
    vec![
        ("ffi/include/sivka.h", header::header(folder, &table)),
        (
            "bindings/java/sivka/src/main/java/dev/sivka/internal/Status.java",
            java::statuses(&table),
        ),
    ]
}

/// A file as it is; empty if it is not there.
fn committed(path: &str) -> String {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    let text = fs::read_to_string(place).unwrap_or_default();
    text.replace("\r\n", "\n")
}

#[test]
fn every_language_says_what_the_source_says() {
    let mut outdated = Vec::new();
    for (path, made) in files() {
        if env::var_os(WRITE).is_some() {
            let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
            fs::write(place, &made).unwrap();
        }
        let committed = committed(path);
        if committed != made {
            let same = committed.lines().zip(made.lines());
            let line = same.take_while(|(one, other)| one == other).count() + 1;
            outdated.push(format!("{path} is out of date from line {line} on"));
        }
    }
    assert!(
        outdated.is_empty(),
        "{}: cargo xtask interface",
        outdated.join("; ")
    );
}

/// The names of arguments say which length is whose.
#[test]
fn every_buffer_has_its_length_after_it() {
    let table = Table::read(Path::new(env!("CARGO_MANIFEST_DIR")));
    let mut buffers = 0;
    for function in &table.functions {
        for (index, argument) in function.arguments.iter().enumerate() {
            if !argument.is_bytes() {
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
    assert!(buffers > 50, "{buffers}");
}

/// A number's constant is called as its algorithm.
#[test]
fn every_algorithm_has_its_number() {
    let table = Table::read(Path::new(env!("CARGO_MANIFEST_DIR")));
    assert_eq!(table.algorithms.len(), sivka::Algorithm::all().len());
    for constant in &table.algorithms {
        let number = u32::try_from(constant.value).unwrap();
        let info = sivka_ffi::algorithm::sivka_inspect_algorithm(number);
        assert!(!info.is_null(), "{number} is not in NUMBERS");
        // SAFETY: static, with a static C string.
        let name = unsafe { std::ffi::CStr::from_ptr((*info).name) };
        let name = name.to_str().unwrap().to_uppercase().replace('-', "_");
        assert_eq!(name, constant.name);
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
