//! The library as C programs see it: installed, compiled against, linked and run.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "c/toolchain.rs"]
mod toolchain;

use std::collections::BTreeSet;
use std::env::consts::DLL_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use toolchain::within::RunInTime;
use toolchain::{CRATE, Checker, WARNINGS, command, is_there, prefix, run};

/// Runs a program to its successful end and returns what it printed.
fn execute(source: &str, argument: Option<&Path>, checker: Checker) -> String {
    let output = run(command(source, checker).args(argument));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Checks that a checker reports the program that it has to report.
fn is_reported(checker: Checker, report: &str) {
    let output = command("tests/c/control.c", checker).output_in_time().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains(report), "{checker:?}: {errors}");
}

/// Runs every program: the tests and the examples.
fn all_programs(checker: Checker) {
    let all = "lists columns keysets keyset_streams kuznyechik misuse files paths streams stack";
    for name in all.split(' ') {
        // Valgrind takes the stack of a thread that has ended for memory that nobody may read.
        if name == "stack" && checker == Checker::Valgrind {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let said = execute(&format!("tests/c/{name}.c"), Some(folder.path()), checker);
        assert!(said.ends_with(" checks\n"), "{said}");
        let left = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 0, "{name}: something was left behind");
    }

    let folder = tempfile::tempdir().unwrap();
    let said = execute("tests/c/places.c", Some(folder.path()), checker);
    assert_eq!(tried(&said), places());

    for name in ["in_place", "batch", "stream"] {
        assert_ne!(execute(&format!("examples/{name}.c"), None, checker), "");
    }
    let folder = tempfile::tempdir().unwrap();
    let said = execute("examples/file.c", Some(folder.path()), checker);
    assert_eq!(said, "bytes 14 to 22 of 25: at the ga\n");
    let read = |name| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("letter.txt"), read("opened.txt"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "something was left behind");
}

/// What `places.c` says that it tried: functions with the names of arguments.
fn tried(said: &str) -> BTreeSet<(String, String)> {
    let pairs = said.lines().filter_map(|line| line.split_once(' '));
    pairs
        .filter(|(function, _)| function.starts_with("sivka_"))
        .map(|(function, name)| (function.to_owned(), name.to_owned()))
        .collect()
}

/// Every argument of the header that points to something else than bytes, text or a handle.
fn places() -> BTreeSet<(String, String)> {
    let header = fs::read_to_string(Path::new(CRATE).join("include/sivka.h")).unwrap();
    let header: String = header
        .split("/*")
        .map(|part| part.split_once("*/").map_or(part, |(_, code)| code))
        .collect();
    let mut found = BTreeSet::new();
    for declaration in header.split(';') {
        let Some((before, arguments)) = declaration.split_once('(') else {
            continue;
        };
        let function = before.rsplit([' ', '*', '\n']).next().unwrap_or_default();
        for argument in arguments.trim_end_matches(')').split(',') {
            let words = argument.split_whitespace().collect::<Vec<_>>().join(" ");
            let (of, name) = words.rsplit_once('*').unwrap_or(("", ""));
            let of = of.trim_start_matches("const ").trim();
            let is_handle = header.contains(&format!("typedef struct {of} {of}"));
            let is_plain = ["", "uint8_t", "char", "void"].contains(&of) && name != "offsets";
            let is_freed = function.ends_with("_free");
            if function.starts_with("sivka_") && !is_plain && !is_handle && !is_freed {
                found.insert((function.to_owned(), name.to_owned()));
            }
        }
    }
    assert!(found.len() >= 50, "{found:?}");
    found
}

#[test]
fn programs_run_natively() {
    if is_there("cc") {
        all_programs(Checker::None);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_shared_library_stays_when_it_is_closed() {
    let (object, lib) = (concat!(env!("CARGO_TARGET_TMPDIR"), "/object.so"), prefix().join("lib"));
    for name in ["misuse", "paths", "keysets", "columns", "lists"] {
        let mut cc = Command::new("cc");
        cc.args(WARNINGS).args(["-Dmain=program", "-shared", "-fPIC", "-o", object]);
        cc.arg(format!("{CRATE}/tests/c/{name}.c")).arg(lib.join("libsivka.so"));
        cc.arg("-I").arg(prefix().join("include"));
        run(cc.arg(format!("-Wl,-rpath,{}", lib.display())));
        let folder = tempfile::tempdir().unwrap();
        let mut command = command("tests/c/closed.c", Checker::None);
        run(command.arg(object).arg(folder.path()).arg(lib.join("libsivka.so")));
    }
}

#[test]
fn programs_run_under_address_sanitizer() {
    if is_there("cc") {
        is_reported(Checker::AddressSanitizer, "heap-buffer-overflow");
        all_programs(Checker::AddressSanitizer);
    }
}

#[test]
fn programs_run_under_valgrind() {
    if is_there("cc") && is_there("valgrind") {
        is_reported(Checker::Valgrind, "Invalid write");
        all_programs(Checker::Valgrind);
    }
}

/// The blocks of a language that the README shows.
fn blocks(language: &str) -> Vec<String> {
    let readme = fs::read_to_string(Path::new(CRATE).join("README.md")).unwrap();
    let parts = readme.split("```").skip(1).step_by(2);
    let of_it = parts.filter_map(|part| part.strip_prefix(&format!("{language}\n")));
    of_it.map(str::to_owned).collect()
}

/// The program that the README shows, as a file.
fn readme_program() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme.c");
    fs::write(&path, &blocks("c")[0]).unwrap();
    path
}

#[test]
fn the_program_of_the_readme_does_what_the_readme_says() {
    if is_there("cc") && is_there("pkg-config") {
        let commands = blocks("sh");
        // `prefix` calls it, for another folder.
        assert_eq!(commands[0], "cargo xtask install --prefix /usr/local\n");
        let rpath = " -Wl,-rpath,$(pkg-config --variable=libdir sivka)";
        // How the README says that a program finds the library: by the environment, by what
        // is in the program, and by being a part of it.
        let mut ways = vec![(&commands[1], "", true), (&commands[1], rpath, false)];
        if cfg!(target_os = "linux") {
            ways.push((&commands[2], "", false));
        }
        for (line, flag, by_environment) in ways {
            let folder = tempfile::tempdir().unwrap();
            fs::copy(readme_program(), folder.path().join("program.c")).unwrap();
            let line = [line.trim(), flag, &WARNINGS.join(" ")].join(" ");
            let mut command = Command::new("sh");
            command.arg("-c").arg(&line).current_dir(&folder);
            command.env("PKG_CONFIG_PATH", prefix().join("lib/pkgconfig"));
            run(&mut command);
            let mut command = Command::new(folder.path().join("a.out"));
            if by_environment {
                command.env("LD_LIBRARY_PATH", prefix().join("lib"));
            }
            let said = run(&mut command).stdout;
            assert_eq!(String::from_utf8_lossy(&said), "meet at noon\n", "{line}");
        }
    }
}

/// What people copy from a page is as often in a program of C++.
#[test]
fn programs_of_the_pages_are_cpp_too() {
    if is_there("c++") {
        let examples = fs::read_dir(Path::new(CRATE).join("examples")).unwrap();
        let mut sources: Vec<PathBuf> = examples.map(|entry| entry.unwrap().path()).collect();
        assert_eq!(sources.len(), 4);
        sources.push(readme_program());
        for source in sources {
            let name = source.file_stem().unwrap();
            let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("cpp");
            let mut command = Command::new("c++");
            command.args(["-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
            command.args(["-x", "c++"]).arg(&source);
            command.args(["-x", "none", "-I"]).arg(prefix().join("include"));
            command.arg("-L").arg(prefix().join("lib"));
            command.arg(format!("-Wl,-rpath,{}", prefix().join("lib").display()));
            run(command.arg("-lsivka").arg("-o").arg(&program));
            let folder = tempfile::tempdir().unwrap();
            let output = run(Command::new(&program).arg(folder.path()));
            assert!(!output.stdout.is_empty(), "{name:?}");
        }
    }
}

/// A `switch` over what the library answers, of which `cases` are its `case`s.
fn switch(name: &str, type_name: &str, cases: &str) -> PathBuf {
    let text = format!(
        "#include <sivka.h>\nint f({type_name} it);\nint f({type_name} it)\n{{\n    \
         switch (it) {{\n{cases}        return 1;\n    }}\n    return 0;\n}}\n"
    );
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("switch-{name}.c"));
    fs::write(&path, text).unwrap();
    path
}

/// What a compiler says of a source, which it only looks at; empty if nothing is wrong.
fn complaints(compiler: &str, flags: &[&str], source: &Path) -> String {
    let mut command = Command::new(compiler);
    command.args(flags).args(["-Wall", "-Werror", "-fsyntax-only"]);
    command.arg("-I").arg(prefix().join("include")).arg(source);
    let output = command.output_in_time().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.success(), said.is_empty(), "{said}");
    said
}

#[test]
fn a_switch_that_leaves_a_constant_out_is_reported() {
    let slots = "    case SIVKA_SLOT_KEY_FILE:\n    case SIVKA_SLOT_PASSPHRASE:\n    \
                 case SIVKA_SLOT_X25519:\n    case SIVKA_SLOT_MLKEM768_X25519:\n";
    for (compiler, flags) in [("cc", ["-std=c99"]), ("c++", ["-xc++"])] {
        if !is_there(compiler) {
            continue;
        }
        let all = switch(compiler, "sivka_slot_kind", slots);
        assert_eq!(complaints(compiler, &flags, &all), "");
        for (of, constant) in [
            ("sivka_slot_kind", "SIVKA_SLOT_KEY_FILE"),
            ("sivka_status", "SIVKA_OK"),
            ("sivka_algorithm", "SIVKA_AES_SIV_512"),
            ("sivka_keyset_purpose", "SIVKA_KEYSET_MIXED"),
            ("sivka_keyset_prefix", "SIVKA_KEYSET_PREFIX_RAW"),
            ("sivka_keyset_status", "SIVKA_KEYSET_ENABLED"),
        ] {
            let one = switch(compiler, of, &format!("    case {constant}:\n"));
            let said = complaints(compiler, &flags, &one);
            assert!(said.contains("not handled in switch"), "{said}");
        }
    }
    // Where a compiler would choose a byte for an enumeration, the library's has four.
    if is_there("cc") {
        let short = switch("short", "sivka_slot_kind", slots);
        let said = complaints("cc", &["-std=c99", "-fshort-enums"], &short);
        assert!(said.contains("has_four_bytes"), "{said}");
    }
}

#[test]
fn cmake_finds_both_libraries() {
    if is_there("cc") && is_there("cmake") {
        let folder = tempfile::tempdir().unwrap();
        let shared = format!("add_executable(program readme.c)\n{}", blocks("cmake")[0]);
        let fixed = shared.replace("sivka::sivka", "sivka::static");
        let fixed = fixed.replace("program", "static").replace("(sivka ", "(sivka 0.1 ");
        let lists =
            format!("cmake_minimum_required(VERSION 3.13)\nproject(found C)\n{shared}{fixed}");
        fs::write(folder.path().join("CMakeLists.txt"), lists).unwrap();
        fs::copy(readme_program(), folder.path().join("readme.c")).unwrap();
        let build = folder.path().join("build");
        let prefix_path = format!("-DCMAKE_PREFIX_PATH={}", prefix().display());
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(folder.path()).arg("-B").arg(&build);
        run(configure.arg(prefix_path));
        run(Command::new("cmake").arg("--build").arg(&build));
        for program in ["program", "static"] {
            let output = run(&mut Command::new(build.join(program)));
            assert_eq!(String::from_utf8_lossy(&output.stdout), "meet at noon\n");
        }
    }
}

#[test]
fn only_what_the_header_names_is_exported() {
    if is_there("nm") {
        let library = format!("{}/lib/libsivka{DLL_SUFFIX}", prefix().display());
        let output = run(Command::new("nm").args(["-D", "--defined-only"]).arg(library));
        let listed = String::from_utf8(output.stdout).unwrap();
        let name = |line: &str| line.split_whitespace().last().map(str::to_owned);
        let exported: BTreeSet<String> = listed.lines().filter_map(name).collect();
        let header = fs::read_to_string(prefix().join("include/sivka.h")).unwrap();
        let mut declared = BTreeSet::new();
        // A declaration is at the beginning of its line; comments are indented.
        for line in header.lines().filter(|line| !line.starts_with([' ', '/', '#'])) {
            let before = line.split_once('(').map(|(before, _)| before);
            let name = before.and_then(|before| before.rsplit([' ', '*']).next());
            declared.extend(name.filter(|name| name.starts_with("sivka_")).map(str::to_owned));
        }
        assert!(declared.len() >= 40, "{declared:?}");
        assert_eq!(exported, declared);
    }
}
