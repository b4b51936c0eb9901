//! The archives of `vectors/folder-v1`, of which Go's package judges alike: each is opened,
//! and listed where contents are leapt over, where all is read, and where it is compressed.

#![cfg(unix)]

#[path = "within/waiting.rs"]
mod within;

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;

use within::RunInTime;

/// Raise it with the table.
const CASES: usize = 455;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(rename = "source")]
    _source: String,
    begin: Vec<String>,
    end: Vec<String>,
    case_count: usize,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    verdict: Verdict,
    entries: Option<Vec<String>>,
    archive: Option<Vec<String>>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Debug)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Accepted,
    Refused,
}

impl Table {
    fn content(&self, case: &Case) -> Vec<u8> {
        let lists = match (&case.entries, &case.archive) {
            (Some(entries), None) => vec![&self.begin, entries, &self.end],
            (None, Some(archive)) => vec![archive],
            _ => panic!("{}: either entries or an archive", case.name),
        };
        let pieces = lists.into_iter().flatten();
        pieces.flat_map(|piece| bytes(piece)).collect()
    }
}

/// The bytes of a piece, as README.md beside the table says.
fn bytes(piece: &str) -> Vec<u8> {
    if let Some(numbers) = piece.strip_prefix("parts ") {
        let numbers: Vec<u64> = numbers
            .split(' ')
            .map(|n| n.parse().expect("as the README says"))
            .collect();
        return parts(numbers[0], numbers[1], numbers[2]);
    }
    let (digits, count) = piece.split_once(" * ").unwrap_or((piece, "1"));
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("as the README says");
    let run: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
    run.repeat(count.parse().expect("as the README says"))
}

fn parts(first: u64, last: u64, end: u64) -> Vec<u8> {
    let parts = (first..last).map(|i| (1024 * i, 512));
    let all: Vec<_> = parts.chain((end > 0).then_some((end, 0))).collect();
    let mut blocks = Vec::new();
    for (i, places) in all.chunks(21).enumerate() {
        for (offset, len) in places {
            write!(blocks, "{offset:011o}\0{len:011o}\0").expect("as the README says");
        }
        blocks.resize(512 * i + 504, 0);
        blocks.push(u8::from(i + 1 < all.len().div_ceil(21)));
        blocks.resize(512 * (i + 1), 0);
    }
    blocks
}

/// Runs the command on the files of a list, and gives the status that each ended with.
fn run(folder: &Path, args: &[&str], list: &str) -> HashMap<String, i64> {
    let output = Command::new(env!("CARGO_BIN_EXE_sivka"))
        .args(args)
        .args(["--json", "-q", "--key", "key"])
        .args(list.lines())
        .current_dir(folder)
        .stderr(Stdio::null())
        .output_in_time()
        .expect("sivka runs");
    let mut ended = HashMap::new();
    for line in String::from_utf8(output.stdout)
        .expect("sivka runs")
        .lines()
    {
        let line: serde_json::Value = serde_json::from_str(line).expect("sivka runs");
        if let Some(status) = line["status"].as_i64() {
            let file = line["file"].as_str().expect("sivka runs").to_owned();
            // A list has a line for each entry, and one at its end if it failed.
            let worst = ended.entry(file).or_insert(0);
            *worst = status.max(*worst);
        }
    }
    ended
}

/// Both readers had lists of their own, and judged differently what was in neither.
#[test]
fn archives_are_accepted_or_refused() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/folder-v1/archives.json");
    let table: Table = serde_json::from_slice(&fs::read(table).unwrap()).unwrap();
    assert_eq!((table.cases.len(), table.case_count), (CASES, CASES));

    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let keygen = ["keygen", "-o", "key"];
    let sivka = || Command::new(env!("CARGO_BIN_EXE_sivka"));
    assert!(
        sivka()
            .args(keygen)
            .current_dir(folder)
            .status_in_time()
            .unwrap()
            .success()
    );
    for (i, case) in table.cases.iter().enumerate() {
        fs::write(folder.join(i.to_string()), table.content(case)).unwrap();
    }
    let names = |ending: &str| -> String { (0..CASES).map(|i| format!("{i}{ending}\n")).collect() };
    run(folder, &["seal"], &names(""));
    fs::create_dir(folder.join("compressed")).unwrap();
    run(folder, &["seal", "--zstd", "-o", "compressed"], &names(""));
    for i in 0..CASES {
        fs::remove_file(folder.join(i.to_string())).unwrap();
    }
    fs::create_dir(folder.join("opened")).unwrap();

    let compressed: String = (0..CASES)
        .map(|i| format!("compressed/{i}.sivka\n"))
        .collect();
    let opened = run(folder, &["open", "-o", "opened"], &names(".sivka"));
    let listed = run(folder, &["open", "--list"], &names(".sivka"));
    let read = run(folder, &["open", "--list"], &compressed);
    for (i, case) in table.cases.iter().enumerate() {
        let (name, file) = (&case.name, format!("{i}.sivka"));
        let statuses = [
            opened[&file],
            listed[&file],
            read[&format!("compressed/{file}")],
        ];
        // 11 where a link that leads outside, a device, or a void file was left out.
        let expected: &[i64] = match case.verdict {
            Verdict::Accepted => &[0, 11],
            Verdict::Refused => &[12],
        };
        let is_expected = statuses.iter().all(|status| expected.contains(status));
        assert!(is_expected, "{name}: {:?}, {statuses:?}", case.verdict);
        let is_there = folder.join("opened").join(i.to_string()).exists();
        assert_eq!(is_there, case.verdict == Verdict::Accepted, "{name}");
    }
    // Nothing half-made either.
    let accepted = table
        .cases
        .iter()
        .filter(|case| case.verdict == Verdict::Accepted);
    let made = fs::read_dir(folder.join("opened")).unwrap();
    assert_eq!(made.count(), accepted.count());
}
