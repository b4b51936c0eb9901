use super::*;

const SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

#[test]
fn lists_say_where_keys_are() {
    let keyring = Keyring::of_list(b" a=/b ,\n c.d_e-F1 = |/g h, ", "it").expect("a list");
    let place = |name: &[u8]| keyring.find(name).map(|entry| entry.place.as_bytes());
    assert_eq!(place(b"a"), Some(b"/b".as_slice()));
    assert_eq!(place(b"c.d_e-F1"), Some(b"|/g h".as_slice()));
    assert!(place(b"b").is_none() && Keyring::of_list(b" ", "it").is_ok());
    let wrong = |list: &str| Keyring::of_list(list.as_bytes(), "it").err().map(|f| f.to_string());
    let (long, key) = (format!("{}=/a", "x".repeat(41)), format!("a={SECRET}"));
    for list in [",", "a", "=/a", "a=", "a=b", "a=|", "a=/b,,c=/d", "a b=/c", "a=/'", &long, &key] {
        let said = "it is not a list of names and paths of key files";
        assert_eq!(wrong(list).as_deref(), Some(said), "{list}");
    }
    assert_eq!(wrong("a=/b, a=/c").as_deref(), Some("it has the name \"a\" twice"));
}

/// A thread that blocks signals starts a program that can be ended.
#[cfg(target_os = "linux")]
#[test]
fn a_program_hears_signals() {
    let path = std::path::Path::new("/bin/sh");
    let none: &[u8] = &[];
    let mut blocked = std::mem::MaybeUninit::uninit();
    // SAFETY: the calls fill a set, and block a signal for this thread.
    unsafe {
        libc::sigemptyset(blocked.as_mut_ptr());
        libc::sigaddset(blocked.as_mut_ptr(), libc::SIGTERM);
        libc::pthread_sigmask(libc::SIG_BLOCK, blocked.as_ptr(), ptr::null_mut());
    }
    // The shell has nothing to read.
    assert_eq!(program::run(path, 9).as_deref().map(Vec::as_slice), Ok(none));
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("program");
    std::fs::write(&script, "#!/bin/sh\nexec grep '^SigBlk:' /proc/self/status\n").expect("a file");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(&script, mode).expect("a mode");
    let output = program::run(&script, 99).expect("an output");
    assert_eq!(&**output, b"SigBlk:\t0000000000000000\n");
    assert_eq!(program::run(&script, 9).err(), Some(source::TOO_LONG));
}
