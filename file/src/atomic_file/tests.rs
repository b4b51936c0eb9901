use super::*;
use std::io::Write;

fn kind<T>(result: io::Result<T>) -> Option<io::ErrorKind> {
    result.err().map(|error| error.kind())
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_file_that_is_not_committed_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    let mut output = AtomicFile::create(&target, None, false).unwrap();
    output.write_all(b"half").unwrap();
    let listed = usize::from(output.temporary_path().is_some());
    assert_eq!(entries(folder.path()), listed);
    drop(output);
    assert_eq!(entries(folder.path()), 0);
}

#[test]
fn nothing_is_replaced_unless_it_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    let late = AtomicFile::create(&target, None, false).unwrap();
    fs::write(&target, b"old").unwrap();
    let exists = Some(io::ErrorKind::AlreadyExists);
    assert_eq!(kind(AtomicFile::create(&target, None, false)), exists);
    // What appeared after `create` is not replaced either.
    assert_eq!(kind(late.commit()), exists);
    assert_eq!(fs::read(&target).unwrap(), b"old");
    let mut output = AtomicFile::create(&target, None, true).unwrap();
    output.write_all(b"new").unwrap();
    output.commit().unwrap();
    assert_eq!(fs::read(&target).unwrap(), b"new");
    assert_eq!(entries(folder.path()), 1);
}

#[test]
fn what_is_no_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let create = |path: &Path| kind(AtomicFile::create(path, None, true));
    assert_eq!(create(folder.path()), Some(io::ErrorKind::IsADirectory));
    assert_eq!(
        create(&folder.path().join("new/")),
        Some(io::ErrorKind::NotADirectory)
    );
    assert_eq!(
        create(&folder.path().join("no/file")),
        Some(io::ErrorKind::NotFound)
    );
    #[cfg(unix)]
    assert_eq!(
        create(Path::new("/dev/null")),
        Some(io::ErrorKind::InvalidInput)
    );
}

#[cfg(unix)]
#[test]
fn permissions_are_those_of_the_input_and_links_are_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("target"), folder.path().join("link"));
    fs::write(&target, b"secret").unwrap();
    fs::set_permissions(&target, Permissions::from_mode(0o4600)).unwrap();
    symlink(&target, &link).unwrap();
    let permissions = AtomicFile::permissions_like(&fs::metadata(&target).unwrap());
    AtomicFile::create(&link, permissions, true)
        .unwrap()
        .commit()
        .unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let made = fs::metadata(&target).unwrap();
    assert_eq!((made.permissions().mode() & 0o7777, made.len()), (0o600, 0));
}

/// A folder of this file system holds files without a name, so that a process that is
/// killed leaves nothing behind.
#[cfg(target_os = "linux")]
#[test]
fn linux_needs_no_temporary_name() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    for overwrite in [false, true, true] {
        let mut output = AtomicFile::create(&target, None, overwrite).unwrap();
        output.write_all(b"all").unwrap();
        assert_eq!(output.temporary_path(), None);
        output.commit().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"all");
        assert_eq!(entries(folder.path()), 1);
    }
}

/// Where there is no such thing, as on network file systems.
#[test]
fn a_temporary_name_does_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    let create = |overwrite| AtomicFile {
        body: Body::named(tempfile::NamedTempFile::new_in(folder.path()).unwrap()),
        target: target.clone(),
        overwrite,
        lost: None,
    };
    drop(create(false));
    assert_eq!(entries(folder.path()), 0);
    create(false).commit().unwrap();
    assert_eq!(
        kind(create(false).commit()),
        Some(io::ErrorKind::AlreadyExists)
    );
    create(true).commit().unwrap();
    assert_eq!(entries(folder.path()), 1);
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_followed_too() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let (link, second) = (folder.path().join("link"), folder.path().join("second"));
    symlink("second", &link).unwrap();
    symlink("place", &second).unwrap();
    assert_eq!(
        kind(AtomicFile::create(&link, None, false)),
        Some(io::ErrorKind::AlreadyExists)
    );
    let mut output = AtomicFile::create(&link, None, true).unwrap();
    output.write_all(b"new").unwrap();
    output.commit().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(folder.path().join("place")).unwrap(), b"new");
    symlink("circle", folder.path().join("circle")).unwrap();
    assert!(AtomicFile::create(&folder.path().join("circle"), None, true).is_err());
}

/// The first error that C programs saw named a file that they had never heard of.
#[test]
fn errors_do_not_name_the_temporary_file() {
    for target in ["/nowhere/report.txt", "/proc/report.txt"] {
        let error = AtomicFile::create(Path::new(target), None, false).expect_err("no such folder");
        let kind = error.kind();
        let says_why = matches!(
            kind,
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
        );
        assert!(says_why, "{error:?}");
        assert!(!error.to_string().contains("partial"), "{error}");
    }
}

#[test]
fn a_name_alone_is_in_the_working_folder() {
    assert_eq!(folder(Path::new("name")), Path::new("."));
    assert_eq!(folder(Path::new("folder/name")), Path::new("folder"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_link_to_itself_is_no_file_that_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("link", &link).unwrap();
    let refused = AtomicFile::create(&link, None, false).map(drop);
    assert_ne!(kind(refused), Some(io::ErrorKind::AlreadyExists));
}

/// Whoever may write to the folder can put a file of others there: a link to it, or the file.
#[cfg(unix)]
#[test]
fn what_has_its_name_meanwhile_is_neither_removed_nor_named() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    let create = |overwrite| AtomicFile {
        body: Body::named(tempfile::NamedTempFile::new_in(folder.path()).unwrap()),
        target: target.clone(),
        overwrite,
        lost: None,
    };
    for overwrite in [None, Some(false), Some(true)] {
        let output = create(overwrite.unwrap_or_default());
        let temporary = output.temporary_path().unwrap().to_path_buf();
        fs::remove_file(&temporary).unwrap();
        fs::write(&temporary, b"theirs").unwrap();
        match overwrite {
            None => drop(output),
            Some(_) => assert!(output.commit().is_err()),
        }
        assert_eq!(fs::read(&temporary).unwrap(), b"theirs", "{overwrite:?}");
        assert!(!target.exists(), "{overwrite:?}");
    }
}

/// Somebody renames a file over the target again and again: it is told, sooner or later.
#[cfg(unix)]
#[test]
fn what_has_its_name_after_the_renaming_is_told() {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let (target, theirs) = (folder.path().join("target"), folder.path().join("theirs"));
    let is_told = AtomicBool::new(false);
    let deadline = Instant::now() + Duration::from_secs(60);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_told.load(Ordering::Relaxed) && Instant::now() < deadline {
                fs::write(&theirs, b"theirs").unwrap();
                fs::rename(&theirs, &target).unwrap();
            }
        });
        let mut told = None;
        while told.is_none() && Instant::now() < deadline {
            let output = AtomicFile::create(&target, None, true).unwrap();
            told = output.give_name().err();
        }
        is_told.store(true, Ordering::Relaxed);
        let told = told.expect("an error").to_string();
        assert_eq!(told, "something else has its name now");
    });
}

/// The system tells of a failure once: syncing again would go well, and nothing be durable.
#[cfg(target_os = "linux")]
#[test]
fn what_could_not_be_synced_gets_no_name() {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    let mut file = AtomicFile::create(&target, None, false).unwrap();
    // What is opened as a path only cannot be synced.
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let path = openat(CWD, folder.path(), flags, Mode::empty()).unwrap();
    let whole = std::mem::replace(&mut file.body, Body::Unnamed(path.into()));
    assert!(file.sync().is_err());
    file.body = whole;
    file.write_all(b"more").unwrap();
    assert!(file.sync().is_err() && file.give_name().is_err());
    assert!(!target.exists());
}
