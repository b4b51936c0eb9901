//! Sealing and opening through functions of the caller's, and the key slots of a file.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use sivka_ffi::file::{
    FileKeys, FileReader, SIVKA_MAX_KEY_FILE_LEN, sivka_file_keys_add_key_file,
    sivka_file_keys_free, sivka_file_keys_new, sivka_file_reader_free, sivka_file_reader_len,
    sivka_file_reader_read, sivka_generate_key_file, sivka_verify_file,
};
use sivka_ffi::slot::{
    SIVKA_KEY_ID_LEN, SIVKA_SLOT_KEY_FILE, Slot, sivka_add_slot, sivka_inspect_file,
    sivka_inspection_free, sivka_inspection_slot, sivka_inspection_slot_count,
    sivka_inspection_suite, sivka_key_file_id, sivka_remove_slot, sivka_replace_slot,
};
use sivka_ffi::status::{
    SIVKA_ERROR_CANCELLED, SIVKA_ERROR_KEY_COUNT, SIVKA_ERROR_NULL, SIVKA_ERROR_READ,
    SIVKA_ERROR_SLOT, SIVKA_ERROR_TRUNCATED, SIVKA_ERROR_WRITE, SIVKA_ERROR_WRONG_KEY, SIVKA_OK,
    Status,
};
use sivka_ffi::stream::{
    sivka_file_reader_of_function, sivka_open_file_with_progress, sivka_open_stream,
    sivka_seal_file_with_progress, sivka_seal_stream, sivka_verify_file_with_progress,
    sivka_verify_stream,
};
use std::ffi::{CString, c_void};
use std::path::Path;
use std::thread::{self, ThreadId};
use std::{fs, ptr, slice};

/// A key file's text, and the set of keys that holds it alone.
struct Key {
    text: Vec<u8>,
    keys: *mut FileKeys,
}

impl Key {
    fn generate() -> Self {
        let mut text = vec![0_u8; SIVKA_MAX_KEY_FILE_LEN];
        let (mut len, mut keys) = (0, ptr::null_mut());
        // SAFETY: live buffers with their lengths, and a set that was just made.
        unsafe {
            let name = c"test".as_ptr();
            let made =
                sivka_generate_key_file(name, text.as_mut_ptr().cast(), text.len(), &raw mut len);
            assert_eq!(made, SIVKA_OK);
            text.truncate(len);
            assert_eq!(sivka_file_keys_new(&raw mut keys), SIVKA_OK);
            let start = text.as_ptr().cast();
            let added = sivka_file_keys_add_key_file(keys, start, len, ptr::null(), 0);
            assert_eq!(added, SIVKA_OK);
        }
        Self { text, keys }
    }

    fn id(&self) -> [u8; SIVKA_KEY_ID_LEN] {
        let mut id = [0; SIVKA_KEY_ID_LEN];
        let text = self.text.as_ptr().cast();
        // SAFETY: live buffers with their lengths.
        let status = unsafe { sivka_key_file_id(text, self.text.len(), id.as_mut_ptr(), id.len()) };
        assert_eq!(status, SIVKA_OK);
        id
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: made above and not freed.
        unsafe { sivka_file_keys_free(self.keys) };
    }
}

/// Where the functions read and write, and when they refuse.
#[derive(Default)]
struct Ends {
    input: Vec<u8>,
    read: usize,
    output: Vec<u8>,
    read_limit: Option<usize>,
    write_limit: Option<usize>,
    stop_at: Option<u64>,
    /// When a number comes the second time.
    stop_at_second: bool,
    heard: u64,
    told: Vec<(ThreadId, u64)>,
}

impl Ends {
    fn of(input: &[u8]) -> Box<Self> {
        Box::new(Self {
            input: input.to_vec(),
            ..Self::default()
        })
    }

    fn context(&mut self) -> *mut c_void {
        ptr::from_mut(self).cast()
    }
}

// The three functions may run at the same time in different threads, so that each uses
// fields of its own, through the pointer.
unsafe extern "C" fn read(context: *mut c_void, out: *mut u8, len: usize, got: *mut usize) -> i32 {
    let ends = context.cast::<Ends>();
    // SAFETY: the context is `Ends`, whose fields for reading nothing else uses now; the
    // buffer has the length beside it.
    unsafe {
        let at = (*ends).read;
        if (*ends).read_limit.is_some_and(|limit| at >= limit) {
            return 5;
        }
        let input: &Vec<u8> = &(*ends).input;
        // Pieces of an odd length, as a pipe gives them.
        let piece = len.min(input.len() - at).min(7001);
        slice::from_raw_parts_mut(out, piece).copy_from_slice(&input[at..at + piece]);
        (*ends).read += piece;
        *got = piece;
    }
    0
}

unsafe extern "C" fn write(context: *mut c_void, bytes: *const u8, len: usize) -> i32 {
    let ends = context.cast::<Ends>();
    // SAFETY: as above, for writing.
    unsafe {
        let output: &mut Vec<u8> = &mut (*ends).output;
        if (*ends)
            .write_limit
            .is_some_and(|limit| output.len() + len > limit)
        {
            return 6;
        }
        output.extend_from_slice(slice::from_raw_parts(bytes, len));
    }
    0
}

unsafe extern "C" fn progress(context: *mut c_void, done: u64) -> i32 {
    let ends = context.cast::<Ends>();
    // SAFETY: as above, for progress.
    unsafe {
        (*ends).told.push((thread::current().id(), done));
        (*ends).heard = done;
        let times = (*ends).told.iter().filter(|told| told.1 == done).count();
        let is_second = (*ends).stop_at_second && times == 2;
        i32::from(is_second || (*ends).stop_at.is_some_and(|limit| done >= limit))
    }
}

unsafe extern "C" fn read_at(
    context: *mut c_void,
    position: u64,
    out: *mut u8,
    len: usize,
    got: *mut usize,
) -> i32 {
    let position = usize::try_from(position).unwrap();
    let ends = context.cast::<Ends>();
    // SAFETY: as above, for reading.
    unsafe {
        let input = &(*ends).input;
        (*ends).read = position.min(input.len());
        read(context, out, len, got)
    }
}

fn seal(ends: &mut Ends, key: &Key) -> Status {
    let context = ends.context();
    // SAFETY: functions as the header asks, and a live set of keys.
    unsafe {
        sivka_seal_stream(
            Some(read),
            context,
            Some(write),
            context,
            Some(progress),
            context,
            key.keys,
            0,
        )
    }
}

fn open(ends: &mut Ends, key: &Key) -> Status {
    let context = ends.context();
    // SAFETY: as above.
    unsafe {
        sivka_open_stream(
            Some(read),
            context,
            Some(write),
            context,
            Some(progress),
            context,
            key.keys,
        )
    }
}

fn verify(ends: &mut Ends, key: &Key) -> Status {
    let context = ends.context();
    // SAFETY: as above.
    unsafe { sivka_verify_stream(Some(read), context, Some(progress), context, key.keys) }
}

fn text(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at * 7 + at / 251) as u8).collect()
}

#[test]
fn streams_open_to_what_was_sealed() {
    let key = Key::generate();
    for len in [0, 1, 16_384, 100_000, 3_000_000] {
        let text = text(len);
        let mut ends = Ends::of(&text);
        assert_eq!(seal(&mut ends, &key), SIVKA_OK);
        assert_eq!(ends.heard, len as u64);

        let sealed = std::mem::take(&mut ends.output);
        let mut ends = Ends::of(&sealed);
        assert_eq!(open(&mut ends, &key), SIVKA_OK);
        assert!(ends.output == text);
        assert_eq!(ends.heard, len as u64);
        assert_eq!(verify(&mut Ends::of(&sealed), &key), SIVKA_OK);

        let cut = &sealed[..sealed.len() - 1 - len.min(20)];
        let mut ends = Ends::of(cut);
        assert_ne!(open(&mut ends, &key), SIVKA_OK);
        assert!(text.starts_with(&ends.output) && ends.output.len() < text.len().max(1));
        assert_eq!(
            verify(&mut Ends::of(&sealed), &Key::generate()),
            SIVKA_ERROR_WRONG_KEY
        );
    }
}

/// A reader of `ends`, or why there is none.
fn reader(ends: &mut Ends, key: &Key) -> Result<*mut FileReader, Status> {
    let (len, context) = (ends.input.len() as u64, ends.context());
    let mut made = ptr::dangling_mut();
    // SAFETY: a function as the header asks, which `ends` outlives, and a live set of keys.
    let status = unsafe {
        sivka_file_reader_of_function(Some(read_at), len, context, key.keys, &raw mut made)
    };
    assert_eq!(made.is_null(), status != SIVKA_OK);
    if status == SIVKA_OK {
        Ok(made)
    } else {
        Err(status)
    }
}

#[test]
fn functions_are_read_in_any_order() {
    let key = Key::generate();
    let text = text(200_000);
    let mut ends = Ends::of(&text);
    assert_eq!(seal(&mut ends, &key), SIVKA_OK);
    let sealed = std::mem::take(&mut ends.output);

    let mut ends = Ends::of(&sealed);
    let made = reader(&mut ends, &key).unwrap();
    // SAFETY: a live reader, and buffers with their lengths.
    unsafe {
        assert_eq!(sivka_file_reader_len(made), text.len() as u64);
        let (mut out, mut len) = ([0; 20_000], 0);
        for position in [190_000, 5, 65_530, 0] {
            let start = out.as_mut_ptr();
            let status =
                sivka_file_reader_read(made, position as u64, start, out.len(), &raw mut len);
            assert_eq!(status, SIVKA_OK);
            assert_eq!(
                out[..len],
                text[position..text.len().min(position + out.len())]
            );
        }
        ends.read_limit = Some(0);
        let start = out.as_mut_ptr();
        let status = sivka_file_reader_read(made, 100_000, start, out.len(), &raw mut len);
        assert_eq!((status, len), (SIVKA_ERROR_READ, 0));
        assert!(out.iter().all(|&byte| byte == 0));
        sivka_file_reader_free(made);
    }
    let cut = reader(&mut Ends::of(&sealed[..sealed.len() - 1]), &key);
    assert_eq!(cut, Err(SIVKA_ERROR_TRUNCATED));
    let other = reader(&mut Ends::of(&sealed), &Key::generate());
    assert_eq!(other, Err(SIVKA_ERROR_WRONG_KEY));
}

#[test]
fn functions_that_fail_are_a_status() {
    let key = Key::generate();
    let text = text(2_000_000);
    type Limit = fn(&mut Ends);
    let limits: [(Limit, Status); 3] = [
        (|ends| ends.read_limit = Some(600_000), SIVKA_ERROR_READ),
        (|ends| ends.write_limit = Some(600_000), SIVKA_ERROR_WRITE),
        (|ends| ends.stop_at = Some(1), SIVKA_ERROR_CANCELLED),
    ];
    for (limit, status) in limits {
        let mut ends = Ends::of(&text);
        limit(&mut ends);
        assert_eq!(seal(&mut ends, &key), status);
        // What was written of it is no whole file.
        let mut ends = Ends::of(&ends.output);
        assert_eq!(verify(&mut ends, &key), SIVKA_ERROR_TRUNCATED);
    }

    let mut ends = Ends::of(&[]);
    let context = ends.context();
    // SAFETY: missing functions are what is tested; nothing is called.
    unsafe {
        let status = sivka_seal_stream(
            None,
            context,
            Some(write),
            context,
            None,
            context,
            key.keys,
            0,
        );
        assert_eq!(status, SIVKA_ERROR_NULL);
        let status = sivka_open_stream(Some(read), context, None, context, None, context, key.keys);
        assert_eq!(status, SIVKA_ERROR_NULL);
        let status = sivka_verify_stream(None, context, None, context, key.keys);
        assert_eq!(status, SIVKA_ERROR_NULL);
        let mut made = ptr::dangling_mut();
        let status = sivka_file_reader_of_function(None, 0, context, key.keys, &raw mut made);
        assert!(status == SIVKA_ERROR_NULL && made.is_null());
    }
}

fn c_path(path: &Path) -> CString {
    CString::new(path.to_str().unwrap()).unwrap()
}

#[test]
fn files_tell_how_far_they_are_and_stop() {
    let folder = tempfile::tempdir().unwrap();
    let [plain, sealed, opened] =
        ["plain", "sealed", "opened"].map(|name| folder.path().join(name));
    fs::write(&plain, text(2_000_000)).unwrap();
    let key = Key::generate();
    let mut ends = Ends::default();
    let [from, to, back] = [&plain, &sealed, &opened].map(|path| c_path(path));
    let (from, to, back) = (from.as_ptr(), to.as_ptr(), back.as_ptr());
    let (keys, context, tell) = (key.keys, ends.context(), Some(progress as _));
    // SAFETY: C strings, a live set of keys, functions as the header asks. `ends` is only
    // looked at between the calls.
    unsafe {
        ends.stop_at = Some(1);
        let status = sivka_seal_file_with_progress(from, to, keys, 0, 0, tell, context);
        assert_eq!(status, SIVKA_ERROR_CANCELLED);
        assert!(!sealed.exists());
        ends.stop_at = None;
        let status = sivka_seal_file_with_progress(from, to, keys, 0, 0, tell, context);
        assert_eq!((status, ends.heard), (SIVKA_OK, 2_000_000));

        ends.stop_at = Some(1);
        let status = sivka_verify_file_with_progress(to, keys, tell, context);
        assert_eq!(status, SIVKA_ERROR_CANCELLED);
        let status = sivka_open_file_with_progress(to, back, keys, 0, tell, context);
        assert_eq!(status, SIVKA_ERROR_CANCELLED);
        assert!(!opened.exists());
        ends.stop_at = None;
        let status = sivka_open_file_with_progress(to, back, keys, 0, tell, context);
        assert_eq!((status, ends.heard), (SIVKA_OK, 2_000_000));

        // Twice, and the second time in this thread.
        let here = (thread::current().id(), 2_000_000);
        assert!(ends.told.ends_with(&[here]));
        assert_eq!(ends.told[ends.told.len() - 2].1, 2_000_000);
        // Who stops there has no output.
        fs::remove_file(&opened).unwrap();
        ends.stop_at_second = true;
        ends.told.clear();
        let status = sivka_open_file_with_progress(to, back, keys, 0, tell, context);
        assert_eq!(
            (status, ends.told.last()),
            (SIVKA_ERROR_CANCELLED, Some(&here))
        );
        assert!(!opened.exists());
        ends.stop_at_second = false;
        let status = sivka_open_file_with_progress(to, back, keys, 0, tell, context);
        assert_eq!(status, SIVKA_OK);
    }
    assert!(fs::read(&plain).unwrap() == fs::read(&opened).unwrap());
}

/// The key ids of a file's slots.
fn slots(file: &CString) -> Vec<[u8; SIVKA_KEY_ID_LEN]> {
    let mut found = ptr::null_mut();
    // SAFETY: a C string; what was made is freed once.
    unsafe {
        assert_eq!(sivka_inspect_file(file.as_ptr(), &raw mut found), SIVKA_OK);
        assert_eq!(sivka_inspection_suite(found), 1);
        let mut slot: Slot = std::mem::zeroed();
        let count = sivka_inspection_slot_count(found);
        let mut ids = Vec::new();
        for index in 0..count {
            let status = sivka_inspection_slot(found, index, &raw mut slot);
            assert_eq!((status, slot.kind), (SIVKA_OK, SIVKA_SLOT_KEY_FILE));
            ids.push(slot.key_id);
        }
        let status = sivka_inspection_slot(found, count, &raw mut slot);
        assert_eq!(status, SIVKA_ERROR_SLOT);
        sivka_inspection_free(found);
        ids
    }
}

#[test]
fn slots_are_added_replaced_and_removed() {
    let (one, two, three) = (Key::generate(), Key::generate(), Key::generate());
    let mut ends = Ends::of(&text(50_000));
    assert_eq!(seal(&mut ends, &one), SIVKA_OK);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sealed");
    fs::write(&path, &ends.output).unwrap();
    let file = c_path(&path);
    let name = file.as_ptr();
    // SAFETY: a C string, live sets of keys, a live number.
    unsafe {
        let mut slot = 9;
        assert_eq!(
            sivka_add_slot(name, one.keys, two.keys, &raw mut slot),
            SIVKA_OK
        );
        assert_eq!((slot, slots(&file)), (1, vec![one.id(), two.id()]));
        assert_eq!(sivka_replace_slot(name, two.keys, 0, three.keys), SIVKA_OK);
        assert_eq!(slots(&file), [three.id(), two.id()]);
        assert_eq!(sivka_verify_file(name, one.keys), SIVKA_ERROR_WRONG_KEY);
        assert_eq!(sivka_remove_slot(name, one.keys, 0), SIVKA_ERROR_WRONG_KEY);
        assert_eq!(sivka_remove_slot(name, two.keys, 2), SIVKA_ERROR_SLOT);
        assert_eq!(
            sivka_replace_slot(name, two.keys, 2, one.keys),
            SIVKA_ERROR_SLOT
        );
        assert_eq!(sivka_remove_slot(name, two.keys, 1), SIVKA_OK);
        assert_eq!(
            sivka_remove_slot(name, three.keys, 0),
            SIVKA_ERROR_KEY_COUNT
        );
        assert_eq!(slots(&file), [three.id()]);
        assert_eq!(sivka_verify_file(name, three.keys), SIVKA_OK);

        let mut none = ptr::null_mut();
        assert_eq!(sivka_file_keys_new(&raw mut none), SIVKA_OK);
        let status = sivka_add_slot(name, three.keys, none, ptr::null_mut());
        assert_eq!(status, SIVKA_ERROR_KEY_COUNT);
        sivka_file_keys_free(none);
    }
}
