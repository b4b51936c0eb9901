//! Any bytes as the archive of a folder, and a good archive with any changes. No panic, every path
//! stays in the folder, and a stream has the entries of a file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sivka_file::folder::{Entries, Pack, pack};
use sivka_fuzz::changed;
use std::io::{Cursor, Read, copy, sink};
use std::path::{Component, PathBuf};
use std::sync::LazyLock;
use std::{env, fs, process};

const BLOCK_LEN: usize = 512;

static TEMPLATE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = env::temp_dir().join(format!("sivka-fuzz-{}", process::id()));
    fs::create_dir_all(folder.join("a").join("b".repeat(200))).expect("a folder");
    fs::write(folder.join("a/file"), [7; 700]).expect("a file");
    fs::hard_link(folder.join("a/file"), folder.join("link")).expect("a link");
    let mut archive = Vec::new();
    pack(&folder, &mut archive, &Pack::default()).expect("packed");
    fs::remove_dir_all(&folder).expect("removed");
    archive
});

/// The paths of all entries before the first error.
fn paths(mut entries: Entries<'_>) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    while let Ok(Some(entry)) = entries.next_entry() {
        let mut parts = entry.path.components();
        assert!(parts.all(|part| matches!(part, Component::Normal(_))));
        // Holes are zeros without end.
        let _ = copy(&mut entries.by_ref().take(1 << 16), &mut sink());
        paths.push(entry.path);
    }
    paths
}

fn check(bytes: &[u8]) {
    let (mut stream, mut file) = (bytes, Cursor::new(bytes));
    let file = Entries::seekable(&mut file).expect("memory can be read");
    assert_eq!(paths(Entries::new(&mut stream)), paths(file));
}

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    let mut changed = changed(&TEMPLATE, bytes);
    // With the sums that headers have of their bytes.
    for header in changed.chunks_exact_mut(BLOCK_LEN) {
        if &header[257..262] == b"ustar" {
            header[148..156].fill(b' ');
            let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
            header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        }
    }
    check(&changed);
});
