//! Runs the transcripts of the pages that show the command, line by line.

#![cfg(unix)]

#[path = "within/waiting.rs"]
mod within;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use within::RunInTime;

/// Lines that build something, which has tests of its own.
const NOT_RUN: [&str; 1] = ["cargo "];

/// Lines that end with another status than 0: what is damaged is told when it is salvaged.
const STATUSES: [(&str, i32); 1] = [("sivka salvage ", 9)];

struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with what the pages speak of.
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        let path = folder.0.path();
        for name in ["photos", "old"] {
            fs::create_dir(path.join(name)).expect("a folder");
        }
        for name in ["report.pdf", "report.docx", "note", "photos/summer.jpg", "a.log", "b.log"] {
            fs::write(path.join(name), name).expect("a file");
        }
        for (name, len) in [("disk", 3 << 20), ("old/damaged", 100_000)] {
            fs::write(path.join(name), vec![7; len]).expect("a file");
        }
        folder.must("sivka keygen -o friend.key && sivka seal disk old/damaged");
        folder.must("sivka keygen --identity -o a-friends.key > friend.pub");
        let damaged = path.join("old/damaged.sivka");
        let mut bytes = fs::read(&damaged).expect("a sealed file");
        bytes[50_000] ^= 1;
        fs::write(damaged, bytes).expect("a file");
        folder
    }

    fn run(&self, line: &str) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_sivka"));
        let programs = program.parent().expect("a folder").display();
        let path = std::env::var("PATH").expect("PATH");
        Command::new("sh")
            .args(["-c", line])
            .current_dir(self.0.path())
            .env_clear()
            .env("PATH", format!("{programs}:{path}"))
            .env("HOME", self.0.path())
            .stdin(std::process::Stdio::null())
            .output_in_time()
            .expect("sh runs")
    }

    fn must(&self, line: &str) -> String {
        let output = self.run(line);
        let said = String::from_utf8_lossy(&output.stderr);
        let found = STATUSES.iter().find(|(start, _)| line.starts_with(start));
        let wanted = found.map_or(0, |(_, status)| *status);
        assert_eq!(output.status.code(), Some(wanted), "{line}: {said}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}

/// The lines after `$ ` of a page's transcripts.
fn lines(page: &str) -> impl Iterator<Item = &str> {
    let blocks = page.split("```console\n").skip(1);
    let blocks = blocks.map(|rest| rest.split("```").next().unwrap_or_default());
    blocks.flat_map(|block| block.lines().map(|line| line.strip_prefix("$ ").expect(line)))
}

/// Runs a page in one folder; says how many lines ran.
fn run(page: &str) -> usize {
    let folder = Folder::new();
    let (mut count, mut added) = (0, String::new());
    for line in lines(page) {
        if NOT_RUN.iter().any(|start| line.starts_with(start)) {
            continue;
        }
        // The page cannot know the id that was drawn.
        let said = folder.must(&line.replace("305419896", &added));
        if line.starts_with("sivka keyset add") {
            added = said;
        }
        count += 1;
    }
    count
}

#[test]
fn the_transcripts_of_the_pages_run() {
    assert_eq!(run(include_str!("../README.md")), 23);
    assert_eq!(run(include_str!("../../README.md")), 2);
}
