//! A copy of the tree that holds all changes, and the test programs built of it.

use super::Change;
use super::switched::{Switched, switched};
use crate::files::read_text;
use crate::planted::write_changed;
use crate::process::{Failure, capture, output, program, project_root, succeed};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// What only the copy has.
const COPY: [(&str, &str, &str); 10] = [
    // What is written once for every tier is built for two.
    (
        "core/src/tier.rs",
        " (Vaes256 \"vaes256\") (Avx512 \"avx512\")",
        "",
    ),
    (
        "core/src/tier/depth.rs",
        "if let Tier(super::token::Kind::Avx512(_)) = tier {",
        "if false {",
    ),
    (
        "core/src/lib.rs",
        "\nmod aead;",
        "\npub mod mutant_switch;\nmod aead;",
    ),
    (
        "core/src/lib.rs",
        "#![deny(unsafe_code)]",
        "#![feature(core_intrinsics, const_eval_select)]\n#![allow(internal_features)]",
    ),
    // Features are on, and the command knows the core.
    (
        "core/Cargo.toml",
        "default = [\"std\", ",
        "default = [\"std\", \"aead\", \"cipher\", ",
    ),
    (
        "cli/Cargo.toml",
        "[dependencies]",
        "[dependencies]\nsivka = { workspace = true }",
    ),
    // Tests that clear the environment keep the switch.
    (
        "cli/tests/transcripts.rs",
        ".env_clear()",
        ".env_clear().envs(std::env::vars().filter(|(name, _)| name.starts_with(\"SIVKA_MUTANT\")))",
    ),
    (
        "cli/tests/transcripts.rs",
        "    let house = House::new();",
        "    if let Ok(part) = std::env::var(\"SIVKA_MUTANT_PART\") {
            transcripts.retain(|path| path.ends_with(&part));
        }
        let house = House::new();",
    ),
    // C programs, and the library that they link, are built once.
    (
        "ffi/tests/c/toolchain.rs",
        "run(command.current_dir(Path::new(CRATE).join(\"..\")));",
        "if !prefix.exists() { run(command.current_dir(Path::new(CRATE).join(\"..\"))); }",
    ),
    (
        "ffi/tests/c/toolchain.rs",
        "run(&mut command);\n    program",
        "if !program.exists() { run(&mut command); }\n    program",
    ),
];

/// Mutants are no style, and the switch is nothing while the compiler evaluates. Nobody looks
/// for mutants with a debugger.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("CARGO_INCREMENTAL", "0"),
    ("CARGO_PROFILE_DEV_DEBUG", "0"),
    ("RUSTFLAGS", "--cap-lints=warn -Awarnings"),
    ("RUSTC_BOOTSTRAP", "sivka"),
];

/// What Git knows, and what it does not ignore.
const TRACKED: [&str; 4] = ["ls-files", "--cached", "--others", "--exclude-standard"];

/// A test program.
pub(super) struct Program {
    /// Its crate's folder and its own name: `core: batch`.
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) folder: PathBuf,
    /// When it, or a program that it may start, was made.
    pub(super) built: SystemTime,
}

/// What was built of which changes.
pub(super) struct Built {
    pub(super) programs: Vec<Program>,
    /// What turns each change on.
    pub(super) switches: Vec<(usize, u32)>,
}

/// Where the copy is.
pub(super) fn copy() -> PathBuf {
    project_root().join("target/mutants")
}

/// Builds these tests of these folders, or all, with all changes but those known to be refused; what else
/// the compiler refuses is taken out.
pub(super) fn built(
    (folders, targets): (&[&str], &[String]),
    changes: &[Change],
    mut refused: HashSet<usize>,
    refuse: impl Fn(usize, &str) -> Result<(), Failure>,
) -> Result<Built, Failure> {
    loop {
        let files = written(changes, &refused)?;
        let errors = errors(&run_in_copy(
            "check",
            folders,
            &["--keep-going".to_owned()],
        )?);
        let before = refused.len();
        for error in &errors {
            for number in concerned(error, &files) {
                if refused.insert(number) {
                    refuse(number, error["code"]["code"].as_str().unwrap_or("-"))?;
                }
            }
        }
        println!("{} errors, {} changes refused", errors.len(), refused.len());
        if errors.is_empty() {
            let switches = files.into_values().flat_map(|file| file.switches).collect();
            let programs = programs(folders, targets)?;
            return Ok(Built { programs, switches });
        }
        if before == refused.len() {
            let all = errors.iter().filter_map(|error| error["rendered"].as_str());
            return Err(Failure::new(all.collect::<Vec<_>>().join("\n")));
        }
    }
}

/// Writes the copy with the changes that are left.
fn written(
    changes: &[Change],
    refused: &HashSet<usize>,
) -> Result<BTreeMap<String, Switched>, Failure> {
    let root = project_root();
    let read = |name: &str| {
        let text = fs::read(root.join(name));
        text.map_err(|e| Failure::new(format!("{name}: {e}")))
    };
    let mut by_file: BTreeMap<&str, Vec<(usize, &Change)>> = BTreeMap::new();
    for (number, change) in changes.iter().enumerate() {
        if !refused.contains(&number) && !change.is_constant {
            by_file
                .entry(&change.file)
                .or_default()
                .push((number, change));
        }
    }
    let mut files = BTreeMap::new();
    for (name, first) in capture(&mut program("git", &TRACKED))?.lines().zip(1_u32..) {
        let mut bytes = read(name)?;
        if let Some(changes) = by_file.get(name) {
            let file = switched(name, &String::from_utf8_lossy(&bytes), changes, first << 8)?;
            bytes = file.text.clone().into_bytes();
            files.insert(name.to_owned(), file);
        }
        for row in COPY.iter().filter(|(file, ..)| *file == name) {
            bytes = replaced(row, &String::from_utf8_lossy(&bytes))?.into_bytes();
        }
        write_changed(&copy().join(name), bytes)?;
        // Some are executed by tests.
        let mode = fs::metadata(root.join(name)).map(|file| file.permissions());
        mode.and_then(|mode| fs::set_permissions(copy().join(name), mode))
            .map_err(|e| Failure::new(format!("{name}: {e}")))?;
    }
    let switch = read("evidence/mutants/switch.rs")?;
    write_changed(&copy().join("core/src/mutant_switch.rs"), switch)?;
    Ok(files)
}

fn replaced((name, find, replace): &(&str, &str, &str), text: &str) -> Result<String, Failure> {
    match text.matches(find).count() {
        1 => Ok(text.replacen(find, replace, 1)),
        _ => Err(Failure::new(format!("`{find}` is not once in {name}"))),
    }
}

/// Whether all that only the copy has can be put there.
pub(super) fn check() -> Result<(), Failure> {
    let place = |row: &(&str, &str, &str)| {
        replaced(row, &read_text(&project_root().join(row.0))?).map(drop)
    };
    COPY.iter().try_for_each(place)
}

/// The changes that an error of the compiler is about.
fn concerned(error: &Value, files: &BTreeMap<String, Switched>) -> Vec<usize> {
    let mut concerned = Vec::new();
    for primary_alone in [true, false] {
        for span in error["spans"].as_array().into_iter().flatten() {
            let file = span["file_name"].as_str().and_then(|name| files.get(name));
            let [start, end] =
                ["byte_start", "byte_end"].map(|key| span[key].as_u64().unwrap_or(0) as usize);
            let marks = file.into_iter().flat_map(|file| &file.marks);
            let touched = marks.filter(|(mark, _)| mark.start < end && start < mark.end);
            if !primary_alone || span["is_primary"] == true {
                concerned.extend(touched.map(|(_, number)| *number));
            }
        }
        if !concerned.is_empty() {
            break;
        }
    }
    concerned
}

/// Runs Cargo in the copy, for the crates in these folders: what the compiler says, and what
/// Cargo made.
fn run_in_copy(word: &str, folders: &[&str], more: &[String]) -> Result<Vec<Value>, Failure> {
    let mut command = program("cargo", &[word, "--message-format", "json"]);
    for folder in folders {
        let name = if *folder == "core" {
            "sivka"
        } else {
            &format!("sivka-{folder}")
        };
        command.args(["-p", name]);
    }
    command.args(more).current_dir(copy()).envs(ENVIRONMENT);
    println!("$ {command:?}");
    let output = output(command.stderr(Stdio::inherit()));
    let output = output.map_err(|e| Failure::new(e.to_string()))?;
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let values = lines
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    Ok(values.collect())
}

/// The errors among what the compiler says that have a place.
fn errors(messages: &[Value]) -> Vec<Value> {
    let said = messages.iter().map(|message| &message["message"]);
    let errors = said.filter(|said| said["level"] == "error");
    let placed = errors.filter(|error| error["spans"].as_array().is_some_and(|s| !s.is_empty()));
    placed.cloned().collect()
}

/// Builds the tests of the crates in these folders.
fn programs(folders: &[&str], targets: &[String]) -> Result<Vec<Program>, Failure> {
    let messages = run_in_copy(
        "test",
        folders,
        &[&["--no-run".to_owned()], targets].concat(),
    )?;
    if let Some(error) = errors(&messages).first() {
        return Err(Failure::new(error["rendered"].as_str().unwrap_or_default()));
    }
    let made_at = |path: &Path| fs::metadata(path).and_then(|path| path.modified()).ok();
    let command = made_at(&copy().join("target/debug/sivka")).unwrap_or(SystemTime::UNIX_EPOCH);
    let programs = messages
        .iter()
        .filter(|made| made["profile"]["test"] == true);
    let programs = programs.filter_map(|made| {
        let path = PathBuf::from(made["executable"].as_str()?);
        let folder = Path::new(made["manifest_path"].as_str()?)
            .parent()?
            .to_owned();
        let crate_name = folder.file_name()?.to_string_lossy();
        let name = format!("{crate_name}: {}", made["target"]["name"].as_str()?);
        let built = made_at(&path)?.max(command);
        Some(Program {
            name,
            path,
            folder,
            built,
        })
    });
    let programs: Vec<Program> = programs.collect();
    let newest = programs.iter().map(|program| program.built).max();
    if newest.is_none() {
        return Err(Failure::new("cargo built no test program"));
    }
    let prefix = copy().join("target/tmp/sivka");
    let in_c = programs.iter().find(|program| program.name == "ffi: c");
    if let Some(in_c) = in_c
        && made_at(&prefix) < newest
    {
        let _ = fs::remove_dir_all(copy().join("target/tmp"));
        let xtask = std::env::current_exe().map_err(|e| Failure::new(e.to_string()))?;
        let mut install = program(&xtask.to_string_lossy(), &["install", "--prefix"]);
        install.arg(&prefix).args(["--profile", "dev"]);
        install.env("CARGO_MANIFEST_DIR", copy().join("xtask"));
        succeed(install.envs(ENVIRONMENT))?;
        // It compiles them.
        let mut compile = Command::new(&in_c.path);
        compile
            .arg("programs_run_natively")
            .current_dir(&in_c.folder);
        succeed(compile.env("CARGO_MANIFEST_DIR", &in_c.folder))?;
    }
    Ok(programs)
}

/// The environment of tests: some run Cargo.
pub(super) fn with_environment(command: &mut Command) -> &mut Command {
    command.envs(ENVIRONMENT)
}
