//! The sealed files of `vectors/file-v1` in one language, in every way to open them.

use super::player::{Player, folder};
use super::{hex, offers, rust};
use sha2::{Digest as _, Sha256};
use sivka_oracle::vectors::SEALED_FILES_OF_IDENTITIES;
use std::fs;
use std::path::{Path, PathBuf};

/// A sealed file, and what the vector says of it.
struct SealedFile {
    name: String,
    /// As commands have it.
    secret: String,
    /// `success` or an error of the specification, section 9.
    expect: String,
    /// The SHA-256 of what may be released.
    payload: String,
    bytes: Vec<u8>,
}

/// Opens every file, or sees it refused; how many of each.
pub(super) fn play(player: &mut Player<'_>) -> (usize, usize) {
    let files = fs::read_dir(folder().join("file-v1")).unwrap();
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "vec"));
    paths.sort();
    let (mut opened, mut refused, mut of_people) = (0, 0, 0);
    for path in paths {
        let vector = read(&path);
        player.case = vector.name.clone();
        let opens = vector.expect == "success";
        assert!(vector.name.starts_with(if opens { "ok_" } else { "fail_" }));
        if vector.secret.starts_with("identity ") {
            of_people += 1;
            if !offers::identities(player.name()) {
                continue;
            }
        }
        every_way(player, &vector);
        *(if opens { &mut opened } else { &mut refused }) += 1;
    }
    // Languages without identities leave these out, and no others.
    assert_eq!(of_people, SEALED_FILES_OF_IDENTITIES.0 + SEALED_FILES_OF_IDENTITIES.1);
    (opened, refused)
}

fn read(path: &Path) -> SealedFile {
    let vector = fs::read(path).unwrap();
    let end = vector.windows(2).position(|two| two == b"\n\n").unwrap();
    let head = str::from_utf8(&vector[..end]).unwrap();
    let value = |name: &str| {
        let mut fields = head.lines().filter_map(|line| line.split_once(": "));
        fields.find_map(|(found, value)| (found == name).then(|| value.to_owned()))
    };
    let secret = match (value("key"), value("passphrase"), value("identity")) {
        (Some(key), None, None) => format!("key {key}"),
        (None, Some(passphrase), None) => format!("passphrase {}", hex(passphrase.as_bytes())),
        (None, None, Some(identity)) => format!("identity {identity}"),
        _ => panic!("{}: a key, a passphrase or an identity", path.display()),
    };
    SealedFile {
        name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
        secret,
        expect: value("expect").unwrap(),
        payload: value("payload").unwrap(),
        bytes: vector[end + 2..].to_vec(),
    }
}

fn every_way(player: &mut Player<'_>, vector: &SealedFile) {
    let opens = vector.expect == "success";
    let expected = offers::file_failure(player.name(), &vector.expect);
    let scratch = tempfile::tempdir_in(player.scratch).unwrap();
    let path = |name: &str| scratch.path().join(name).to_str().unwrap().to_owned();
    let sealed = path("sealed");
    fs::write(&sealed, &vector.bytes).unwrap();
    let call = |command: &str, output: &str| {
        format!("{command} {} {sealed} {}", vector.secret, path(output))
    };
    let sum = |name: &str| hex(&Sha256::digest(fs::read(path(name)).unwrap()));
    let who = format!("{}: {}", player.name(), vector.name);

    player.answers(&format!("verify-file {} {sealed}", vector.secret), expected);
    player.answers(&call("open-file", "opened"), expected);
    match opens {
        true => assert_eq!(sum("opened"), vector.payload, "{who}: by path"),
        false => assert!(!Path::new(&path("opened")).exists(), "{who}: an output is there"),
    }
    player.answers(&call("open-stream", "released"), expected);
    assert_eq!(sum("released"), vector.payload, "{who}: by stream");

    // The end is looked at first, so that the reason may be another one.
    let answer = player.language.ask(&call("read-file", "read"));
    assert_eq!(answer == "done", opens, "{who}: in parts: {answer}");
    let read = fs::read(path("read")).unwrap();
    match opens {
        true => assert_eq!(sum("read"), vector.payload, "{who}: in parts"),
        // Nothing but what is authentic is in it; how much depends on the length of a read.
        false => {
            let released = fs::read(path("released")).unwrap();
            let agree = released.starts_with(&read) || read.starts_with(&released);
            assert!(agree, "{who}: in parts");
        }
    }
    if offers::salvages(player.name()) {
        let found = player.language.ask(&call("salvage-file", "salvaged"));
        let expected = rust::answer(&call("salvage-file", "expected"));
        assert_eq!(found, expected, "{who}: salvaged");
        let there = Path::new(&path("expected")).exists();
        assert_eq!(Path::new(&path("salvaged")).exists(), there, "{who}: salvaged");
        if there {
            assert_eq!(sum("salvaged"), sum("expected"), "{who}: salvaged");
        }
    }
}
