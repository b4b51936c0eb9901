//! `cargo xtask mutants` and `planted --functional`: changes of the code are caught by tests.
//!
//! `cargo-mutants` makes the first, a person wrote the second. All are built at once in a copy
//! of the tree, each behind a switch. For a mutant the quick tests run that reach it, for a
//! planted defect the test that is named for it. Needs Unix.

mod build;
mod list;
mod switched;
mod trial;

use crate::process::{Failure, Tally, beside};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::ops::Range;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};
use trial::{Ended, Test};

/// The folders of the crates that are changed.
const CRATES: [&str; 6] = ["arrow", "cli", "core", "ffi", "file", "keyset"];

/// No test that is named for a defect takes longer.
const LONG: Duration = Duration::from_secs(60);

/// The tests of a mutant, as long as they usually take together.
const ENOUGH: Duration = Duration::from_secs(60);

/// A change of the code.
struct Change {
    /// Of a mutant its file, what it does, the code there, and which of those that are alike.
    name: String,
    file: String,
    line: usize,
    /// Of which kind, in the words of `cargo-mutants`, or a defect.
    genre: String,
    range: Range<usize>,
    replacement: String,
    /// The test that must report it, of a defect.
    by: String,
    /// The compiler evaluates it: no switch turns it on.
    is_constant: bool,
}

/// Mutates the crates in these folders, or all. What an earlier run settled is not run again.
pub(crate) fn run(folders: &[&str]) -> Result<(), Failure> {
    let folders = if folders.is_empty() { &CRATES } else { folders };
    let mutants = list::mutants(folders)?;
    let record = Record::read()?;
    let refused = (0..mutants.len()).filter_map(|number| {
        let (word, _) = record.of(&mutants[number])?;
        (word == "refused").then_some(number)
    });
    let refuse = |number: usize, code: &str| record.write(&mutants[number], "refused", code);
    let built = build::built((folders, &[]), &mutants, refused.collect(), refuse)?;
    let tests = trial::watched(&built.programs)?;
    let list = list::listed()?;
    let settled = ["caught", "timed out"];
    // What is listed takes all tests that reach it, for nothing.
    let is_settled = |number: usize| {
        let mutant = &mutants[number];
        let is_listed = || list.iter().any(|row| row.is(mutant));
        match record.of(mutant) {
            Some((word, _)) => settled.contains(&word.as_str()) || is_listed(),
            None => false,
        }
    };
    let todo = built.switches.into_iter();
    let mut todo: Vec<_> = todo.filter(|(number, _)| !is_settled(*number)).collect();
    // Those that a short test may catch first.
    let shortest = |switch: u32| {
        tests
            .iter()
            .position(|test| test.places.contains(&(switch >> 8)))
    };
    todo.sort_by_cached_key(|(_, switch)| shortest(*switch));
    let killers = Mutex::new(HashMap::new());
    side_by_side(todo.into_iter(), |(number, switch)| {
        let mutant = &mutants[number];
        let (word, by) = judged(mutant, switch, &tests, &killers);
        record.write(mutant, word, &by)
    })?;
    verdict(&mutants, &record)
}

/// What the tests say of a mutant that `switch` turns on: first those that have the name of its
/// file, then those that caught others of that file, then those that take the least time, until
/// that is enough.
fn judged(
    mutant: &Change,
    switch: u32,
    tests: &[Test],
    killers: &Mutex<HashMap<String, Vec<usize>>>,
) -> (&'static str, String) {
    let killers = || killers.lock().expect("no panic under the lock");
    let before = killers().get(&mutant.file).cloned().unwrap_or_default();
    let name = mutant.file.rsplit(['/', '.']).nth(1).unwrap_or_default();
    let is_named = |test: &usize| tests[*test].full_name().contains(name);
    let named = (0..tests.len()).filter(is_named);
    let others = (0..tests.len()).filter(|test| !is_named(test));
    let (known, unknown): (Vec<_>, Vec<_>) = others.partition(|test| before.contains(test));
    let order = named.chain(known).chain(unknown);
    let (mut word, mut spent) = ("not reached", Duration::ZERO);
    for test in order.filter(|test| tests[*test].places.contains(&(switch >> 8))) {
        if spent > ENOUGH {
            break;
        }
        spent += tests[test].time;
        word = match tests[test].run(switch, tests[test].time) {
            Ended::Passed => "survived",
            Ended::Failed => "caught",
            Ended::Stopped => "timed out",
        };
        if word != "survived" {
            let mut killers = killers();
            let last = killers.entry(mutant.file.clone()).or_default();
            last.retain(|before| *before != test);
            last.push(test);
            return (word, tests[test].full_name());
        }
    }
    (word, String::new())
}

/// Does work on each of many, as many at a time as there are processors.
fn side_by_side<T: Send, R: Send>(
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> Result<R, Failure> + Sync,
) -> Result<Vec<R>, Failure> {
    let items = Mutex::new(items);
    let next = || items.lock().expect("no panic under the lock").next();
    let worker = || std::iter::from_fn(|| next().map(&work)).collect::<Result<Vec<R>, _>>();
    let workers = thread::available_parallelism().map_or(1, |workers| workers.get());
    let done: Result<Vec<Vec<R>>, _> = beside(vec![worker; workers]).into_iter().collect();
    Ok(done?.into_iter().flatten().collect())
}

/// What became of mutants and by which test, kept in a file of the copy, so that a run goes on
/// where it ended.
struct Record {
    outcomes: Mutex<HashMap<String, (String, String)>>,
    file: Mutex<File>,
}

impl Record {
    fn read() -> Result<Self, Failure> {
        let path = build::copy().join("outcomes");
        let failed = |e: std::io::Error| Failure::new(format!("{}: {e}", path.display()));
        fs::create_dir_all(build::copy()).map_err(failed)?;
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(failed)?;
        let text = fs::read_to_string(&path).map_err(failed)?;
        let outcomes = text.lines().filter_map(|line| {
            let mut words = line.splitn(3, '\t').map(str::to_owned);
            let outcome = (words.next()?, words.next()?);
            Some((words.next()?, outcome))
        });
        Ok(Self {
            outcomes: Mutex::new(outcomes.collect()),
            file: Mutex::new(file),
        })
    }

    fn of(&self, mutant: &Change) -> Option<(String, String)> {
        let outcomes = self.outcomes.lock().expect("no panic under the lock");
        outcomes.get(&mutant.name).cloned()
    }

    fn write(&self, mutant: &Change, word: &str, by: &str) -> Result<(), Failure> {
        let line = format!("{word}\t{by}\t{}\n", mutant.name);
        print!("{line}");
        let mut file = self.file.lock().expect("no panic under the lock");
        file.write_all(line.as_bytes())
            .map_err(|e| Failure::new(e.to_string()))?;
        let mut outcomes = self.outcomes.lock().expect("no panic under the lock");
        outcomes.insert(mutant.name.clone(), (word.to_owned(), by.to_owned()));
        Ok(())
    }
}

/// Prints a table by crate, and each mutant that is neither caught nor listed, which is a
/// failure; as is a row of the list without a mutant that needs it.
fn verdict(mutants: &[Change], record: &Record) -> Result<(), Failure> {
    let mut list = list::listed()?;
    let mut table: BTreeMap<&str, [usize; 7]> = BTreeMap::new();
    let mut wrong = 0;
    for mutant in mutants {
        let folder = mutant.file.split('/').next().unwrap_or_default();
        let counts = table.entry(folder).or_default();
        counts[0] += 1;
        let outcome = record.of(mutant);
        let word = outcome.map_or("not switched".to_owned(), |(word, _)| word);
        let column = match word.as_str() {
            "refused" => 1,
            "not switched" => 2,
            "caught" => 3,
            "timed out" => 4,
            _ => {
                let mut rows = list.iter_mut().filter(|row| row.is(mutant)).peekable();
                let column = 6 - usize::from(rows.peek().is_some());
                rows.for_each(|row| row.is_found = true);
                column
            }
        };
        if column == 6 {
            wrong += 1;
            println!("{word}, line {}: {}", mutant.line, mutant.name);
        }
        counts[column] += 1;
    }
    println!("| crate | made | refused | not switched | caught | timed out | listed | left |");
    println!("|---|---|---|---|---|---|---|---|");
    for (folder, counts) in &table {
        println!(
            "| {folder} | {} |",
            counts.map(|count| count.to_string()).join(" | ")
        );
    }
    for row in list.iter().filter(|row| !row.is_found) {
        if table.contains_key(row.file.split('/').next().unwrap_or_default()) {
            wrong += 1;
            println!(
                "listed, and not needed: {}: {}: `{}`",
                row.file, row.does, row.code
            );
        }
    }
    match wrong {
        0 => Ok(()),
        wrong => Err(Failure::new(format!(
            "{wrong} are neither caught nor listed rightly"
        ))),
    }
}

/// Every planted defect has a place: soon seen, for CI.
pub(crate) fn check() -> Result<(), Failure> {
    list::defects()?;
    build::check()
}

/// Plants all defects, or every so many-th from one on, and runs for each the test that must
/// report it.
pub(crate) fn functional(slice: Option<(usize, usize)>) -> Tally {
    let mut tally = Tally::default();
    match verdicts(slice.unwrap_or((0, 1))) {
        Ok(verdicts) => {
            for (name, verdict) in verdicts {
                tally.add_check(&format!("planted: {name}"), &verdict);
            }
        }
        Err(failure) => tally.add_check("planted defects", &Err(failure)),
    }
    tally
}

type Verdict = Result<(), Failure>;

fn verdicts((first, step): (usize, usize)) -> Result<Vec<(String, Verdict)>, Failure> {
    let defects = list::defects()?.into_iter().skip(first).step_by(step);
    let defects: Vec<Change> = defects.collect();
    let refuse = |number: usize, code: &str| {
        let name = &defects[number].name;
        Err(Failure::new(format!(
            "the compiler refuses `{name}`: {code}"
        )))
    };
    let named = defects
        .iter()
        .filter_map(|defect| defect.by.split(": ").nth(1));
    let named: BTreeSet<&str> = named.filter(|name| !name.starts_with("sivka")).collect();
    let targets = named.into_iter().map(|name| format!("--test={name}"));
    let targets = targets.chain(["--lib", "--bins"].map(str::to_owned));
    let targets = targets.collect::<Vec<_>>();
    let built = build::built((&CRATES, &targets), &defects, HashSet::new(), refuse)?;
    let tests = trial::all(&built.programs)?;
    let mut by_test: BTreeMap<&str, Vec<(usize, u32)>> = BTreeMap::new();
    for (number, switch) in built.switches {
        let planted = by_test.entry(&defects[number].by).or_default();
        planted.push((number, switch));
    }
    let verdicts = side_by_side(by_test.into_iter(), |(by, planted)| {
        let control = control(by, &tests);
        let verdicts = planted.into_iter().map(|(number, switch)| {
            let name = &defects[number].name;
            let verdict = match &control {
                Ok((test, usual)) => reported(test, *usual, switch),
                Err(why) => Err(Failure::new(why.to_string())),
            };
            let said = verdict
                .as_ref()
                .map_or_else(Failure::to_string, |said| said.to_string());
            println!("{name}: {said} `{by}`");
            (name.clone(), verdict.map(|_| ()))
        });
        Ok(verdicts.collect::<Vec<_>>())
    })?;
    Ok(verdicts.into_iter().flatten().collect())
}

/// The test of this name, which passes where no defect is on, and how long that takes.
fn control<'t>(by: &str, tests: &'t [Test<'t>]) -> Result<(&'t Test<'t>, Duration), Failure> {
    let test = tests.iter().find(|test| test.full_name() == by);
    let test = test.ok_or_else(|| Failure::new("there is no test"))?;
    let start = Instant::now();
    match test.run(0, LONG) {
        Ended::Passed => Ok((test, start.elapsed())),
        _ => Err(Failure::new("without any defect it fails:")),
    }
}

/// Whether the test fails with the defect.
fn reported(test: &Test<'_>, usual: Duration, switch: u32) -> Result<&'static str, Failure> {
    match test.run(switch, usual) {
        Ended::Passed => Err(Failure::new("not reported by")),
        Ended::Failed => Ok("reported by"),
        Ended::Stopped => Ok("by a loop without end reported by"),
    }
}
