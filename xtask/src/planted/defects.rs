//! Defects; the test named in its row must report each.

use super::{Row, Texts, copy_tree, planted, rows};
use crate::files::{in_tree, read_text};
use crate::process::{
    Failure, Tally, artifacts, beside, cargo, package, program, project_root, status,
};
use std::collections::BTreeSet;
use std::iter::StepBy;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// No test that is named for a defect takes longer where it is off.
const LONG: Duration = Duration::from_secs(240);

type Verdict = Result<(), Failure>;

/// Plants defects: one of so many parts, in which those of a crate are together, or all.
pub(crate) fn of_slice((slice, count): (usize, usize)) -> Tally {
    Tally::of("planted defects", |tally| {
        let mut rows = rows(true)?;
        rows.sort_by(|a, b| a.test.cmp(&b.test));
        let len = rows.len().div_ceil(count);
        let rows: Vec<&Row> = rows.iter().skip(slice * len).take(len).collect();
        let copy = project_root().join("target/planted-defects");
        copy_tree(&copy, with_environment(planted(&rows)?)?)?;
        let programs = &built(&copy, &rows)?;
        let tests = rows.chunk_by(|a, b| a.test == b.test);
        // Two at a time, as a processor each.
        let halves = [0, 1].map(|first| tests.clone().skip(first).step_by(2));
        let judge = |half: StepBy<_>| half.flat_map(|rows| judged(rows, programs));
        let halves = halves.map(|half| || judge(half).collect::<Vec<_>>());
        for (name, verdict) in beside(halves.into()).into_iter().flatten() {
            tally.add_check(&format!("planted: {name}"), &verdict);
        }
        Ok(())
    })
}

/// The result of a test for each of these defects.
fn judged(rows: &[&Row], programs: &[Program]) -> Vec<(String, Verdict)> {
    let test = rows[0].test.as_str();
    let usual = control(test, programs);
    let judged = rows.iter().map(|row| {
        let verdict = match &usual {
            Ok((program, time)) => program.reports(row, *time),
            Err(why) => Err(Failure::new(why.to_string())),
        };
        let said = verdict.as_ref().map_or_else(Failure::to_string, |said| (*said).to_owned());
        println!("{}: {said} `{test}`", row.name);
        (row.name.clone(), verdict.map(drop))
    });
    judged.collect()
}

/// The program of a test, which passes where no defect is on, and how long that takes.
fn control<'p>(test: &str, programs: &'p [Program]) -> Result<(&'p Program, Duration), Failure> {
    let (name, test) = test.rsplit_once(": ").unwrap_or_default();
    let program = programs.iter().find(|made| made.name == name);
    let program = program.ok_or_else(|| Failure::new("there is no program of"))?;
    let start = Instant::now();
    match program.run(test, "", LONG)? {
        Some(true) => Ok((program, start.elapsed())),
        Some(false) => Err(Failure::new("without any defect it fails:")),
        None => Err(Failure::new("without any defect it takes too long:")),
    }
}

/// Tests that clear the environment of the command keep the name of the defect.
fn with_environment(mut texts: Texts) -> Result<Texts, Failure> {
    const KEPT: &str =
        ".env_clear().envs(std::env::vars().filter(|(name, _)| name == \"SIVKA_DEFECT\"))";
    let is_test = |name: &String| name.starts_with("cli/tests/") && name.ends_with(".rs");
    for name in in_tree()?.into_iter().filter(is_test) {
        let text = read_text(&project_root().join(&name))?;
        let text = text.replace(".env_clear()", KEPT);
        texts.entry(name).or_insert(text);
    }
    Ok(texts)
}

/// A test program: `core: batch`, its file, and the folder of its crate.
struct Program {
    name: String,
    path: PathBuf,
    folder: PathBuf,
}

/// Builds the test programs that these rows name.
fn built(copy: &Path, rows: &[&Row]) -> Result<Vec<Program>, Failure> {
    let of = |part: usize| rows.iter().filter_map(move |row| row.test.split(": ").nth(part));
    let folders: BTreeSet<&str> = of(0).collect();
    let mut command = cargo(&["test", "--no-run", "--lib", "--bins"]);
    for folder in folders {
        command.args(["-p", &package(folder)]);
        match folder {
            "core" => command.args(["--features", "sivka/aead,sivka/cipher"]),
            "file" => command.args(["--features", "sivka-file/folder"]),
            _ => &mut command,
        };
    }
    // `sivka: a::tests::b` is a test in the library or the command itself.
    let targets: BTreeSet<&str> = of(1).filter(|name| !name.starts_with("sivka")).collect();
    command.args(targets.into_iter().flat_map(|name| ["--test", name]));
    // Nobody looks for defects with a debugger.
    command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_TARGET_DIR", copy.join("target"));
    let made = artifacts(command.current_dir(copy))?;
    Ok(made.iter().filter_map(program_of).collect())
}

fn program_of(made: &serde_json::Value) -> Option<Program> {
    if made["profile"]["test"] != true {
        return None;
    }
    let path = PathBuf::from(made["executable"].as_str()?);
    let folder = Path::new(made["manifest_path"].as_str()?).parent()?.to_owned();
    let of = folder.file_name()?.to_string_lossy();
    let name = format!("{of}: {}", made["target"]["name"].as_str()?);
    Some(Program { name, path, folder })
}

impl Program {
    /// The test of a row fails with its defect.
    fn reports(&self, row: &Row, usual: Duration) -> Result<&'static str, Failure> {
        let (_, test) = row.test.rsplit_once(": ").unwrap_or_default();
        match self.run(test, &row.name, 10 * usual + Duration::from_secs(5))? {
            Some(true) => Err(Failure::new("not reported by")),
            Some(false) => Ok("reported by"),
            None => Ok("by a loop without end reported by"),
        }
    }

    /// Whether the test passes, if it ends. Its time and memory are limited: a loop without end, or
    /// one that allocates, is stopped.
    fn run(&self, test: &str, defect: &str, time: Duration) -> Result<Option<bool>, Failure> {
        let seconds = time.as_secs();
        let run = format!(
            "ulimit -v 6000000; ulimit -c 0; \
             timeout -s KILL {seconds} \"$0\" --exact \"$1\" >\"$2\" 2>&1; \
             code=$?; grep -q '^running 1 test' \"$2\" || exit 99; exit $code"
        );
        let said = self.path.with_extension(format!("{}.said", test.replace("::", ".")));
        let mut command = program("sh", &["-c", &run]);
        command.arg(&self.path).arg(test).arg(said);
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        command.env("SIVKA_DEFECT", defect).env("RUST_BACKTRACE", "0");
        let ended = status(&mut command).map_err(|e| Failure::new(e.to_string()))?;
        match ended.code() {
            Some(0) => Ok(Some(true)),
            Some(99) => Err(Failure::new("there is no test")),
            None | Some(124 | 137) => Ok(None),
            Some(_) => Ok(Some(false)),
        }
    }
}
