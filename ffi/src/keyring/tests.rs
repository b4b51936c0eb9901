use super::*;
use sivka_file::KeyFile;
use std::fs;

const SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

fn key_file() -> Zeroizing<String> {
    KeyFile::generate("key").expect("random bytes").to_text()
}

/// What is wrong with a keyring, or with what it gives.
fn wrong<T>(made: Result<T, Failure>) -> String {
    let said = made.err().map(|failure| failure.to_string()).unwrap_or_default();
    assert!(!said.contains(SECRET), "{said}");
    said
}

#[test]
fn lists_say_where_keys_are() {
    let list = b" a=/b ,\n c.d_e-F1 = |/g h, ";
    let keyring = Keyring::of_list(list, "it").expect("a list");
    let places = [b"a".as_slice(), b"c.d_e-F1"].map(|name| keyring.find(name));
    let places = places.map(|entry| entry.expect("an entry").place.as_bytes());
    assert_eq!(places, [b"/b".as_slice(), b"|/g h"]);
    assert!(keyring.find(b"b").is_none() && Keyring::of_list(b" ", "it").is_ok());
    let long = format!("{}=/a", "x".repeat(41));
    let key = format!("a={SECRET}");
    for list in [",", "a", "=/a", "a=", "a=b", "a=|", "a=/b,,c=/d", "a b=/c", "a=/'", &long, &key] {
        let said = wrong(Keyring::of_list(list.as_bytes(), "it"));
        assert_eq!(said, "it is not a list of names and paths of key files", "{list}");
    }
    assert_eq!(wrong(Keyring::of_list(b"a=/b, a=/c", "it")), "it has the name \"a\" twice");
}

#[test]
fn messages_name_a_key_and_quote_none() {
    let keyring = Keyring::of_list(b"a=/nowhere/key, b=/", "it").expect("a list");
    let take = |name: &str, rights, text| wrong(keyring.take(name.as_bytes(), rights, text));
    assert!(take(SECRET, 1, None).starts_with("the name of a key has 1 to 40 letters"));
    assert!(take("\u{fc}", 1, None).starts_with("the name of a key has 1 to 40 letters"));
    assert_eq!(take("c", 1, None), "there is no key \"c\" in it");
    assert_eq!(take("a", 0, None), "permission denied for key \"a\"");
    assert_eq!(take("a", 1, None), "the file of key \"a\" cannot be read");
    let long = vec![b'{'; SIVKA_KEYRING_MAX_TEXT_LEN + 1];
    for (text, said) in [
        (b"".as_slice(), "is not a key file"),
        (SECRET.as_bytes(), "is not a key file"),
        (b"{}", "is not a keyset whose keys are known here"),
        (&long, "is too long"),
    ] {
        assert_eq!(take("a", 1, Some(text)), format!("the file of key \"a\" {said}"));
    }
    let text = key_file();
    let made = keyring.take(b"another", 1, Some(text.as_bytes())).expect("keys");
    assert!(made.iter().all(Option::is_some));
}

/// Who writes or reads a file is asked of the file that is read. A keyring's own file is no secret.
#[cfg(unix)]
#[test]
fn files_of_others_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("key");
    fs::write(&path, "text").expect("a file");
    let may_read = |mode, is_secret| {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
        source::read(&path, is_secret, 4).map(|text| text.to_vec())
    };
    assert_eq!(may_read(0o600, true), Ok(b"text".to_vec()));
    assert_eq!(may_read(0o644, false), Ok(b"text".to_vec()));
    for (mode, is_secret) in
        [(0o604, true), (0o660, true), (0o610, true), (0o602, true), (0o664, false), (0o646, false)]
    {
        assert!(may_read(mode, is_secret).is_err(), "{mode:o}");
    }
    assert_eq!(
        may_read(0o600, true).map(|_| source::read(&path, true, 3)),
        Ok(Err(source::TOO_LONG))
    );
    assert!(source::read(folder.path(), true, 4).is_err());
}

/// It has no argument and nothing to read, and the signals that its parent blocks do not wait for it.
#[cfg(target_os = "linux")]
#[test]
fn a_program_runs_once_and_hears_signals() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let write = |name: &str, text: &str, mode| {
        fs::write(path(name), text).expect("a file");
        fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).expect("a mode");
    };
    write("key", &key_file(), 0o600);
    let script = format!(
        "#!/bin/sh\necho run >> {}\ntest $# = 0 || exit\nread line && exit\n\
         grep -q '^SigBlk:.*0000$' /proc/$$/status && cat {}\n",
        path("runs"),
        path("key")
    );
    write("program", &script, 0o700);
    let mut blocked = std::mem::MaybeUninit::uninit();
    // SAFETY: the calls fill a set, and block a signal for this thread.
    unsafe {
        libc::sigemptyset(blocked.as_mut_ptr());
        libc::sigaddset(blocked.as_mut_ptr(), libc::SIGTERM);
        libc::pthread_sigmask(libc::SIG_BLOCK, blocked.as_ptr(), ptr::null_mut());
    }
    let lines = format!("# k\nk open |{}\n", path("program"));
    let keyring = Keyring::of_lines(lines.as_bytes(), "it").expect("keys");
    for _ in 0..2 {
        assert!(keyring.take(b"k", SIVKA_KEYRING_OPEN, None).is_ok());
    }
    let denied = wrong(keyring.take(b"k", SIVKA_KEYRING_SEAL, None));
    assert_eq!(denied, "permission denied for key 'k'");
    assert_eq!(fs::read_to_string(path("runs")).expect("runs"), "run\n");
    write("program", "#!/bin/sh\ncat key; exit 3\n", 0o700);
    let said = wrong(Keyring::of_lines(lines.as_bytes(), "it"));
    assert_eq!(said, "the program of key 'k' failed");
}
