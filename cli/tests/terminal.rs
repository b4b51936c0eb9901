//! What a person at a terminal sees: prompts without echo, the progress bar,
//! and a terminal that still works after Ctrl-C.

#![cfg(unix)]

#[path = "within/waiting.rs"]
mod within;

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rexpect::session::{PtySession, spawn_command};
use tempfile::TempDir;

use within::RunInTime;

const TIMEOUT_MS: u64 = 400_000;

fn at_a_terminal(folder: &Path, command: &str) -> PtySession {
    let bin = Path::new(env!("CARGO_BIN_EXE_sivka")).parent().expect("a folder");
    let path = std::env::var("PATH").expect("PATH");
    // As a terminal starts it, whatever signals these tests were told to ignore.
    let mut shell = Command::new(if cfg!(target_os = "linux") { "env" } else { "sh" });
    if cfg!(target_os = "linux") {
        shell.args(["--default-signal", "sh"]);
    }
    shell
        .args(["-c", command])
        .current_dir(folder)
        .env("HOME", folder)
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("TERM", "xterm")
        .env_remove("XDG_CONFIG_HOME");
    spawn_command(shell, Some(TIMEOUT_MS)).expect("a terminal")
}

/// A folder with a note.
fn desk() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("note"), "hello\n").expect("written");
    folder
}

fn answer(run: &mut PtySession, prompt: &str, typed: &str) {
    run.exp_string(prompt).expect("a prompt");
    run.send_line(typed).expect("typed");
}

/// What is shown up to the end, with this status.
fn ended(run: &mut PtySession, status: u8) -> String {
    let rest = run.exp_eof().expect("the end");
    assert!(rest.contains(&format!("status={status}")), "{rest}");
    rest
}

#[test]
fn a_passphrase_is_asked_for_twice_and_never_shown() {
    let folder = desk();

    let mut seal = at_a_terminal(folder.path(), "sivka seal --passphrase note; echo status=$?");
    answer(&mut seal, "new passphrase: ", "correct horse");
    answer(&mut seal, "the same again: ", "correct horse");
    let rest = ended(&mut seal, 0);
    assert!(!rest.contains("horse"), "{rest}");
    assert!(rest.contains("note.sivka: sealed 6 bytes"), "{rest}");

    // Standard input is the data: the passphrase is asked for all the same.
    let mut open =
        at_a_terminal(folder.path(), "sivka open --passphrase - < note.sivka; echo status=$?");
    answer(&mut open, "passphrase for standard input: ", "correct horse");
    let rest = ended(&mut open, 0);
    assert!(!rest.contains("horse"), "{rest}");
    assert!(rest.contains("hello"), "{rest}");
}

#[test]
fn no_passphrase_is_no_key() {
    let folder = desk();
    let mut seal = at_a_terminal(folder.path(), "sivka seal --passphrase note; echo status=$?");
    seal.exp_string("new passphrase: ").expect("the prompt");
    // The end of the input.
    seal.send_control('d').expect("typed");
    let rest = ended(&mut seal, 5);
    assert!(rest.contains("no passphrase was entered"), "{rest}");
    assert!(!folder.path().join("note.sivka").exists());
}

#[test]
fn a_wrong_passphrase_may_be_typed_again() {
    let folder = desk();
    fs::write(folder.path().join("passphrase"), "correct horse\n").expect("written");
    let again = "that passphrase does not open note.sivka; try again: ";
    let mut open = at_a_terminal(
        folder.path(),
        "sivka seal --passphrase-file passphrase note; cat note.sivka > copy.sivka; \
         sivka open --passphrase note.sivka copy.sivka -f; echo status=$?",
    );
    answer(&mut open, "passphrase for note.sivka: ", "correct hearse");
    answer(&mut open, again, "correct horse");
    let rest = ended(&mut open, 0);
    assert!(!rest.contains("copy.sivka; try again"), "{rest}");
    assert!(rest.contains("2 files: opened 12 bytes"), "{rest}");

    let mut wrong =
        at_a_terminal(folder.path(), "sivka open --passphrase note.sivka -o x; echo status=$?");
    for prompt in ["passphrase for note.sivka: ", again, again] {
        answer(&mut wrong, prompt, "correct hearse");
    }
    let rest = ended(&mut wrong, 5);
    assert!(rest.contains("sivka: note.sivka: no key slot"), "{rest}");
}

/// Typed in an old encoding, each letter would become the character that stands for what is not
/// UTF-8, and any passphrase of as many letters would open.
#[test]
fn a_passphrase_of_another_encoding_is_refused() {
    let folder = desk();
    let mut seal = at_a_terminal(folder.path(), "sivka seal --passphrase note; echo status=$?");
    seal.exp_string("new passphrase: ").expect("the prompt");
    let mut terminal = seal.process().get_file_handle().expect("open");
    terminal.write_all(b"p\xe4\xf6s\n").expect("typed");
    let rest = ended(&mut seal, 5);
    assert!(rest.contains("is not UTF-8"), "{rest}");
    assert!(!folder.path().join("note.sivka").exists());
}

/// A prompt dropped control characters: the file was sealed under another passphrase than typed.
#[test]
fn control_characters_are_refused_when_set_and_taken_to_open() {
    let folder = desk();
    for typed in ["a\tb", "\t", "a\u{1b}[Ab", "a\u{85}b", "a\u{11}b", "a\u{13}b", "a\u{4}b"] {
        for command in ["seal --passphrase note", "keygen --protect -o new.key"] {
            let command = format!("sivka {command}; echo status=$?");
            let mut run = at_a_terminal(folder.path(), &command);
            answer(&mut run, "new passphrase: ", typed);
            let rest = ended(&mut run, 5);
            assert!(rest.contains("may not have control characters"), "{typed:?}: {rest}");
            assert!(!folder.path().join("note.sivka").exists());
        }
    }

    let mut open = at_a_terminal(
        folder.path(),
        "echo ab > p; sivka seal -q --passphrase-file p note; \
         sivka open --passphrase note.sivka -o again; echo status=$?",
    );
    answer(&mut open, "passphrase for note.sivka: ", "a\tb");
    open.exp_string("that passphrase does not open note.sivka; try again: ")
        .expect("another prompt");
    // What the terminal edits is not in the line.
    open.send_line("wrong\u{15}a\u{e9}\u{7f}b").expect("typed");
    ended(&mut open, 0);
}

/// Terminals drop what is too long for a line without a word.
#[test]
fn what_a_terminal_cuts_off_is_no_passphrase() {
    let folder = desk();
    let mut seal = at_a_terminal(folder.path(), "sivka seal --passphrase note; echo status=$?");
    answer(&mut seal, "new passphrase: ", &"x".repeat(5000));
    let rest = ended(&mut seal, 5);
    assert!(rest.contains("longer than the 1000 bytes"), "{rest}");
}

#[test]
fn the_passphrase_of_protected_keys_is_asked_for_once() {
    let folder = desk();
    let mut made = at_a_terminal(folder.path(), "sivka keygen --protect -o a.key; echo $?");
    answer(&mut made, "new passphrase: ", "correct horse");
    answer(&mut made, "the same again: ", "correct horse");
    assert_eq!(made.exp_eof().expect("the end").trim(), "0");

    let mut sealed = at_a_terminal(
        folder.path(),
        "echo 'correct horse' > p; sivka keygen --protect-with p -o b.key; \
         sivka seal -k a.key -k b.key note; echo status=$?",
    );
    answer(&mut sealed, "passphrase for a.key: ", "correct hearse");
    let again = "that passphrase does not open a.key; try again: ";
    answer(&mut sealed, again, "correct horse");
    let rest = ended(&mut sealed, 0);
    assert!(!rest.contains("b.key") && !rest.contains("horse"), "{rest}");
}

#[test]
fn the_last_way_in_is_taken_away_only_by_who_says_so() {
    let folder = desk();
    for (typed, status) in [("", 2), ("n", 2), ("y", 0)] {
        let mut remove = at_a_terminal(
            folder.path(),
            "rm -f *.key note.sivka; sivka keygen -o a.key; sivka keygen -o b.key; \
             sivka seal -q -k a.key -k b.key note; sivka slot remove -k a.key note.sivka 0; \
             echo status=$?; sivka slot list note.sivka | wc -l",
        );
        let question = "no key that you gave opens note.sivka after this; go on? [y/N] ";
        answer(&mut remove, question, typed);
        let rest = ended(&mut remove, status);
        let left = if status == 0 { "1" } else { "2" };
        assert!(rest.trim_end().ends_with(left), "{rest}");
    }
}

/// Deriving the key takes its time, which no bar can foresee.
#[test]
fn a_derivation_is_said_and_not_guessed_at() {
    let folder = desk();
    fs::write(folder.path().join("passphrase"), "correct horse\n").expect("written");
    let command = "for i in 1 2 3 4 5 6 7 8 9; do cp note $i; done; \
                   sivka seal --passphrase-file passphrase ?; echo status=$?; \
                   sivka open --passphrase-file passphrase -f ?.sivka; echo status=$?";
    let mut run = at_a_terminal(folder.path(), command);
    let shown = run.exp_eof().expect("the end");
    let says = "deriving the key from the passphrase";
    assert!(shown.contains(says), "{shown}");
    let before = shown.split(says).next().expect("a beginning");
    assert!(!before.contains("left"), "{shown}");
    assert!(shown.contains("9 files: sealed 54 bytes"), "{shown}");
    assert!(shown.contains("9 files: opened 54 bytes"), "{shown}");
    // One salt, one file: nobody sees that they have one passphrase.
    let salts: HashSet<_> = (1..=9)
        .map(|i| fs::read(folder.path().join(format!("{i}.sivka"))).expect("sealed"))
        .map(|file| file[29..61].to_vec())
        .collect();
    assert_eq!(salts.len(), 9);
}

/// A slip of the finger ended the run.
#[test]
fn passphrases_that_differ_are_asked_for_again() {
    let folder = desk();
    let command = "rm -f note.sivka; sivka seal --passphrase note; echo status=$?";
    for (again, status) in [("correct horse", 0), ("correct house", 5)] {
        let mut seal = at_a_terminal(folder.path(), command);
        let twice = [("new passphrase: ", "correct horse"), ("the same again: ", "wrong")];
        let then = [("new passphrase: ", "correct horse"), ("the same again: ", again)];
        let tries = if status == 0 { [twice, then, then] } else { [twice, then, twice] };
        let prompts = if status == 0 { 4 } else { 6 };
        for (prompt, typed) in tries.into_iter().flatten().take(prompts) {
            answer(&mut seal, prompt, typed);
        }
        ended(&mut seal, status);
        assert_eq!(folder.path().join("note.sivka").exists(), status == 0);
    }
}

#[test]
fn the_echo_is_back_after_ctrl_c() {
    let folder = desk();
    // Ctrl-C is for all that runs at the terminal, and this shell goes on.
    let command = "trap : INT; stty echo; sivka seal --passphrase note; echo status=$?; stty -a";
    let mut seal = at_a_terminal(folder.path(), command);
    seal.exp_string("new passphrase: ").expect("the first prompt");
    seal.send("corr\x03").expect("typed");
    seal.flush().expect("typed");
    seal.exp_string("status=130").expect("the status of a program ended by SIGINT");
    let rest = seal.exp_eof().expect("the end");
    assert!(rest.contains(" echo "), "{rest}");
}

#[test]
fn the_echo_is_back_after_the_prompt_was_killed() {
    let folder = desk();
    let command =
        "stty echo; sivka seal --passphrase note & echo pid=$!; wait $!; echo status=$?; stty -a";
    let mut seal = at_a_terminal(folder.path(), command);
    seal.exp_string("pid=").expect("the pid");
    let pid = seal.read_line().expect("the pid");
    seal.exp_string("new passphrase: ").expect("the first prompt");
    seal.send("corr").expect("typed");
    seal.flush().expect("typed");
    // Time to turn the echo off; were it still on, there would be nothing to see.
    std::thread::sleep(Duration::from_millis(300));
    let killed = Command::new("kill").arg(pid.trim()).status_in_time().expect("kill runs");
    assert!(killed.success());
    seal.exp_string("status=143").expect("the status of a program ended by SIGTERM");
    let rest = seal.exp_eof().expect("the end");
    assert!(rest.contains(" echo "), "{rest}");
}

#[test]
fn a_terminal_shows_progress_and_no_sealed_bytes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Long enough for a bar to be drawn, and no bytes on the disk.
    let large = fs::File::create(folder.path().join("large")).expect("created");
    large.set_len(2 << 30).expect("as long as that");
    let command = "sivka seal large -o /dev/null; echo status=$?";
    let mut seal = at_a_terminal(folder.path(), command);
    let shown = ended(&mut seal, 0);
    let result = "/dev/null: sealed 2.00 GiB (2147483648 bytes)";
    for part in ["sivka: made a key for you", "of 2.00 GiB", "/s", " left", result] {
        assert!(shown.contains(part), "{part}: {shown}");
    }

    // Of a folder the length is known as well, and what is excluded does not count.
    fs::create_dir(folder.path().join("folder")).expect("made");
    for name in ["a", "b", "c"] {
        fs::write(folder.path().join("folder").join(name), vec![1; 256 << 20]).expect("written");
    }
    let command = "sivka seal folder --exclude c -o /dev/null; echo status=$?";
    let mut seal = at_a_terminal(folder.path(), command);
    let shown = ended(&mut seal, 0);
    for part in ["of 512.00 MiB", "% ", " left"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }

    fs::write(folder.path().join("small"), "hello\n").expect("written");
    let mut quiet = at_a_terminal(
        folder.path(),
        "sivka seal -q small; sivka open -q small.sivka -o again; echo status=$?",
    );
    assert_eq!(quiet.exp_eof().expect("the end").trim(), "status=0");

    let mut garbled = at_a_terminal(folder.path(), "sivka seal small -o -; echo status=$?");
    let shown = ended(&mut garbled, 2);
    assert!(shown.contains("sivka: sealed bytes would garble the terminal"), "{shown}");
}

#[test]
fn a_terminal_gets_text_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("text"), "na\u{ef}ve\ttext\n").expect("written");
    fs::write(folder.path().join("steering"), "text\x1b[2Jtext\n").expect("written");
    let command = "sivka seal -q text steering; sivka open text.sivka -o -; echo status=$?; \
                   sivka open steering.sivka -o -; echo status=$?; \
                   sivka open --force steering.sivka -o - | cat -v; \
                   sivka open --force steering.sivka -o -";
    let mut run = at_a_terminal(folder.path(), command);
    let shown = run.exp_eof().expect("the end");
    assert!(shown.contains("na\u{ef}ve\ttext") || shown.contains("text\r\nstatus=0"), "{shown}");
    let refusal = "sivka: steering.sivka: the content is no text, and would garble the terminal";
    let (before, after) = shown.split_once(refusal).expect("a refusal");
    assert!(!before.contains("\u{1b}[2J"), "{before:?}");
    assert!(after.contains("status=2"), "{after:?}");
    assert!(after.contains("text^[[2Jtext"), "{after:?}");
    assert!(after.contains("text\u{1b}[2Jtext"), "{after:?}");
}
