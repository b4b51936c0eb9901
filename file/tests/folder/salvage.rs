//! Archives of which parts are lost.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Cursor;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::support::{archive, entries, named, packed, with_content};
use sivka_file::folder::{EntryKind, Unpack, Unpacked, salvage};

/// Numbers that look random, and come again: xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % limit
    }
}

/// Salvages with other bytes in place of what is lost.
fn salvaged(archive: &[u8], lost: &[Range<u64>], into: &Path, partial: bool) -> Unpacked {
    let mut archive = archive.to_vec();
    for hole in lost {
        archive[hole.start as usize..hole.end as usize].fill(0xa5);
    }
    let mut options = Unpack::default();
    options.partial = partial;
    salvage(&mut Cursor::new(archive), lost, into, &options).unwrap()
}

fn touches(span: &Range<u64>, lost: &[Range<u64>]) -> bool {
    lost.iter()
        .any(|hole| hole.start < span.end && span.start < hole.end)
}

/// Folders of files of all lengths around blocks, and some that are archives themselves.
fn make(root: &Path, random: &mut Random) -> BTreeMap<PathBuf, Vec<u8>> {
    let nested = archive(&[
        with_content(b'0', "zz", b"not of the folder"),
        with_content(b'0', "zzz", b""),
    ]);
    let mut files = BTreeMap::new();
    for folder in 0..20 {
        fs::create_dir_all(root.join(format!("{folder}/in"))).unwrap();
        for file in 0..20 {
            let len = match random.below(8) {
                0 => 0,
                1 => 512,
                2 => 40_000,
                _ => random.below(3000),
            };
            let content = match random.below(10) {
                0 => nested.repeat(3),
                _ => (0..len).map(|_| random.below(256) as u8).collect(),
            };
            let name = ["", "in/", "in/\u{fc}ber-"][random.below(3) as usize];
            let path = PathBuf::from(format!("{folder}/{name}{file}"));
            fs::write(root.join(&path), &content).unwrap();
            files.insert(path, content);
        }
    }
    // What is in those archives is behind all that is of the folder.
    fs::write(root.join("z"), "last").unwrap();
    files.insert("z".into(), b"last".to_vec());
    files
}

#[test]
fn in_a_thousand_damages_every_whole_file_comes_back() {
    let seed = std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64 | 1;
    println!("seed {seed}");
    let mut random = Random(seed);
    // Where syncing costs nothing, if there is such a place.
    let memory = Some(Path::new("/dev/shm")).filter(|memory| memory.is_dir());
    let desk = tempfile::tempdir_in(memory.unwrap_or(&std::env::temp_dir())).unwrap();
    let from = desk.path().join("from");
    let files = make(&from, &mut random);
    assert_eq!(files.len(), 401);
    let archive = packed(&from);
    let spans: Vec<_> = entries(&archive, true).unwrap().into_iter().collect();
    let len = archive.len() as u64;
    let mut damages = 0;
    for round in 0.. {
        if damages >= 1000 {
            break;
        }
        let lost: Vec<_> = (0..=random.below(6))
            .map(|_| {
                let unit = [1, 512, 16384][random.below(3) as usize];
                let start = random.below(len / unit) * unit;
                start..(start + unit * (1 + random.below(3))).min(len)
            })
            .collect();
        damages += lost.len();
        let to = desk.path().join("to");
        let came = salvaged(&archive, &lost, &to, false);
        let what = format!("seed {seed}, round {round}, lost {lost:?}");
        let mut whole = BTreeSet::new();
        for entry in spans
            .iter()
            .filter(|entry| matches!(entry.kind, EntryKind::File { .. }))
        {
            if !touches(&entry.span, &lost) {
                let content = fs::read(to.join(&entry.path));
                assert!(
                    content.is_ok_and(|found| found == files[&entry.path]),
                    "{what}: {:?}",
                    entry.path
                );
                whole.insert(&entry.path);
            }
        }
        for named in &came.named {
            assert!(
                files.contains_key(&named.path) && !whole.contains(&named.path),
                "{what}: {named:?}"
            );
        }
        // A header after lost records is that of a whole file, though not all that is said of it.
        for found in walkdir::WalkDir::new(&to) {
            let found = found.unwrap();
            let path = found.path().strip_prefix(&to).unwrap();
            if found.file_type().is_file() {
                assert_eq!(
                    Some(&fs::read(found.path()).unwrap()),
                    files.get(path),
                    "{what}: {path:?}"
                );
            }
        }
        fs::remove_dir_all(to).unwrap();
    }
}

#[test]
fn nothing_lost_is_nothing_missing() {
    let desk = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "to"].map(|name| desk.path().join(name));
    fs::create_dir_all(from.join("a")).unwrap();
    fs::write(from.join("a/f"), "x").unwrap();
    let came = salvaged(&packed(&from), &[], &to, false);
    assert!(came.named.is_empty() && !came.is_end_lost && came.entries == 3);
    assert_eq!(super::support::tree(&from), super::support::tree(&to));
}

#[test]
fn a_damaged_file_comes_under_a_name_that_says_so() {
    let desk = tempfile::tempdir().unwrap();
    let [from, whole, partial, short] =
        ["from", "whole", "partial", "short"].map(|name| desk.path().join(name));
    fs::create_dir(&from).unwrap();
    fs::write(from.join("a"), [7; 5000]).unwrap();
    fs::write(from.join("b"), "b").unwrap();
    fs::hard_link(from.join("a"), from.join("c")).unwrap();
    let archive = packed(&from);
    let a = entries(&archive, true).unwrap().swap_remove(1).span;
    let lost = a.end - 3 * 512..a.end - 2 * 512;
    let said = [
        "a: is damaged",
        "c: is another name of a, which is not here",
    ];
    let came = salvaged(&archive, std::slice::from_ref(&lost), &whole, false);
    assert_eq!(named(&came.named), said);
    assert!(!whole.join("a").exists() && !whole.join("a.damaged").exists());
    let came = salvaged(&archive, &[lost], &partial, true);
    assert_eq!(named(&came.named), said);
    assert_eq!(came.entries, 2);
    let found = fs::read(partial.join("a.damaged")).unwrap();
    assert_eq!(found.len(), 5000);
    assert_eq!(found.iter().filter(|byte| **byte == 0).count(), 512);

    // What ends too early: the rest of the file is zeros.
    let came = salvaged(&archive[..a.end as usize - 2048], &[], &short, true);
    assert_eq!(named(&came.named), ["a: is damaged"]);
    assert!(came.is_end_lost);
    let found = fs::read(short.join("a.damaged")).unwrap();
    assert_eq!(found, [&[7; 3072][..], &[0; 5000 - 3072]].concat());
}

/// A file of the name that a damaged one would have is the one that is kept.
#[test]
fn a_whole_file_goes_before_a_damaged_one() {
    let desk = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "to"].map(|name| desk.path().join(name));
    fs::create_dir(&from).unwrap();
    fs::write(from.join("a"), [7; 5000]).unwrap();
    fs::write(from.join("a.damaged"), "whole").unwrap();
    let archive = packed(&from);
    let a = entries(&archive, true).unwrap().swap_remove(1).span;
    salvaged(
        &archive,
        std::slice::from_ref(&(a.end - 512..a.end)),
        &to,
        true,
    );
    assert_eq!(fs::read(to.join("a.damaged")).unwrap(), b"whole");
}

/// Folders whose entries are lost are made for what is in them.
#[test]
fn files_of_lost_folders_come_back() {
    let desk = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "to"].map(|name| desk.path().join(name));
    fs::create_dir_all(from.join("a/b")).unwrap();
    fs::write(from.join("a/b/f"), "x").unwrap();
    let archive = packed(&from);
    let f = entries(&archive, true).unwrap().swap_remove(3).span;
    let came = salvaged(&archive, std::slice::from_ref(&(0..f.start)), &to, false);
    assert_eq!(fs::read(to.join("a/b/f")).unwrap(), b"x");
    assert!(came.named.is_empty() && came.entries == 4 && !came.is_end_lost);
}
