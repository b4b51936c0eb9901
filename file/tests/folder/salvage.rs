//! Archives of which parts are lost.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io::Cursor;
use std::ops::Range;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::{MARK, entries, named, packed, paths, tree};
use sivka_file::folder::{Entries, EntryKind, Pack, Unpack, Unpacked, pack, unpack};

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

/// Salvages with zeros in place of what is lost.
fn salvaged(archive: &[u8], lost: &[Range<u64>], into: &Path, partial: bool) -> Unpacked {
    let mut archive = archive.to_vec();
    for hole in lost {
        archive[hole.start as usize..hole.end as usize].fill(0);
    }
    let mut archive = Cursor::new(archive);
    let entries = Entries::damaged(&mut archive, lost, MARK).unwrap();
    let mut options = Unpack::default();
    options.partial = partial;
    unpack(entries, into, &options).unwrap()
}

/// Folders of files of all lengths around blocks, and some that are archives themselves.
fn make(root: &Path, nested: &[u8], random: &mut Random) -> BTreeMap<PathBuf, Vec<u8>> {
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
    fs::write(root.join("z"), nested.repeat(9)).unwrap();
    files.insert("z".into(), nested.repeat(9));
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
    let [from, to, other] = ["from", "to", "other"].map(|name| desk.path().join(name));
    fs::create_dir_all(other.join("zd")).unwrap();
    fs::write(other.join("zd/in"), "not of the folder").unwrap();
    symlink("/etc/passwd", other.join("zz")).unwrap();
    // Whoever makes this knows all but the mark of the archive that it is in.
    let mut hostile = Vec::new();
    pack(&other, &mut hostile, &Pack::default()).unwrap();
    let files = make(&from, &hostile, &mut random);
    let known = paths(&from);
    assert_eq!(files.len(), 401);
    let archive = packed(&from);
    let mut spans = entries(&archive).unwrap();
    spans.retain(|entry| matches!(entry.kind, EntryKind::File { .. }));
    let (len, z) = (archive.len() as u64, spans[400].span.start);
    let mut damages = 0;
    while damages < 1000 {
        let lost = (0..=random.below(6)).map(|_| {
            let unit = [1, 512, 16384][random.below(3) as usize];
            let start = random.below(len / unit) * unit;
            start..(start + unit * (1 + random.below(3))).min(len)
        });
        let mut lost: Vec<_> = lost.collect();
        // The header of what may come from anybody, behind all else.
        lost.extend((damages % 2 == 0).then_some(z + 1100..z + 1101));
        lost.sort_by_key(|hole| hole.start);
        lost.dedup_by(|next, before| next.start < before.end);
        damages += lost.len();
        let came = salvaged(&archive, &lost, &to, false);
        let what = format!("seed {seed}, lost {lost:?}");
        let found = paths(&to);
        assert!(found.is_subset(&known), "{what}");
        for path in found.iter().filter(|path| to.join(path).is_file()) {
            let found = fs::read(to.join(path)).unwrap();
            assert_eq!(Some(&found), files.get(path), "{what}: {path:?}");
        }
        let named: Vec<_> = came.named.iter().map(|named| &named.path).collect();
        assert!(named.iter().all(|path| known.contains(*path)), "{what}");
        let is_hit = |it: &Range<u64>| lost.iter().any(|at| at.start < it.end && it.start < at.end);
        for entry in &spans {
            let (path, is_whole) = (&entry.path, !is_hit(&entry.span));
            let (is_there, is_named) = (to.join(path).exists(), named.contains(&path));
            let is_right = if is_there { is_named != is_whole } else { !is_whole };
            assert!(is_right, "{what}: {path:?}");
        }
        fs::remove_dir_all(&to).unwrap();
    }
    let came = salvaged(&archive, &[], &to, false);
    assert!(came.named.is_empty());
    assert!(tree(&from) == tree(&to));
}

/// A header alone says neither an owner of many digits nor an access list that narrows rights. Of a
/// size of many digits it says nothing that could be taken for a content.
#[test]
fn an_entry_that_may_lack_its_records_says_so() {
    let desk = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "to"].map(|name| desk.path().join(name));
    fs::create_dir_all(&from).unwrap();
    fs::write(from.join("a"), "all of it").unwrap();
    fs::set_permissions(from.join("a"), Permissions::from_mode(0o4751)).unwrap();
    xattr::set(from.join("a"), "user.a", b"1").unwrap();
    let archive = packed(&from);
    let at = entries(&archive).unwrap()[1].span.start;
    let came = salvaged(&archive, std::slice::from_ref(&(at..at + 1)), &to, false);
    let said = "a: its owner, its attributes and the fractions of its time may be lost";
    assert_eq!((came.entries, named(&came.named)), (2, vec![said.to_owned()]));
    assert_eq!(fs::read(to.join("a")).unwrap(), b"all of it");
    let mode = to.join("a").metadata().unwrap().permissions().mode();
    assert_eq!((mode & 0o7777, xattr::get(to.join("a"), "user.a").unwrap()), (0o751, None));

    fs::remove_dir_all(&to).unwrap();
    File::create(from.join("a")).unwrap().set_len(1 << 33).unwrap();
    let mut begin = [0; 8192];
    pack(&from, &mut &mut begin[..], &Pack::default()).unwrap_err();
    assert!(begin[at as usize + 512..].starts_with(b"9 path=a\n19 size=8589934592\n"));
}

#[test]
fn a_damaged_file_comes_under_a_name_that_says_so() {
    let desk = tempfile::tempdir().unwrap();
    let [from, to, short] = ["from", "to", "short"].map(|name| desk.path().join(name));
    let (long, partial) = ("a".repeat(255), "a".repeat(247) + ".damaged");
    fs::create_dir(&from).unwrap();
    fs::write(from.join(&long), [7; 5000]).unwrap();
    fs::write(from.join("b"), [8; 600]).unwrap();
    fs::set_permissions(from.join(&long), Permissions::from_mode(0o6755)).unwrap();
    fs::write(from.join("b.damaged"), "whole").unwrap();
    fs::hard_link(from.join(&long), from.join("c")).unwrap();
    let archive = packed(&from);
    let found = entries(&archive).unwrap();
    let [a, b] = [1, 2].map(|index| found[index].span.clone());
    let lost = [a.end - 3 * 512..a.end - 2 * 512, b.end - 512..b.end];
    let came = salvaged(&archive, &lost, &to, true);
    let said = [
        &format!("{long}: is damaged"),
        "b: is damaged",
        &format!("c: is another name of {long}, which is not here"),
    ];
    assert_eq!(named(&came.named), said);
    assert_eq!((came.entries, came.len), (2, 5));
    let expected = [&[7; 3584][..], &[0; 512], &[7; 5000 - 4096]].concat();
    assert_eq!(fs::read(to.join(&partial)).unwrap(), expected);
    assert_eq!(to.join(&partial).metadata().unwrap().mode() & 0o7777, 0o755);
    assert_eq!(fs::read(to.join("b.damaged")).unwrap(), b"whole");

    // What ends too early: the rest of the file is zeros.
    let came = salvaged(&archive[..a.end as usize - 2048], &[], &short, true);
    assert_eq!(named(&came.named), [format!("{long}: is damaged")]);
    let found = fs::read(short.join(&partial)).unwrap();
    assert_eq!(found, [&[7; 3072][..], &[0; 5000 - 3072]].concat());
}
