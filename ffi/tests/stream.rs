//! Sealing and opening by bytes in and out, progress, and the key slots of a file.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use sivka_ffi::file::{
    FileKeys, FileReader, SIVKA_MAX_KEY_FILE_LEN, sivka_file_keys_add_key_file,
    sivka_file_keys_free, sivka_file_keys_new, sivka_file_reader_free, sivka_file_reader_len,
    sivka_file_reader_of_function, sivka_file_reader_read, sivka_generate_key_file,
    sivka_open_file, sivka_seal_file, sivka_verify_file,
};
use sivka_ffi::slot::{
    SIVKA_KEY_ID_LEN, SIVKA_SLOT_KEY_FILE, Slot, sivka_add_slot, sivka_inspect_file,
    sivka_inspection_free, sivka_inspection_slot, sivka_inspection_slot_count,
    sivka_inspection_suite, sivka_key_file_id, sivka_remove_slot, sivka_replace_slot,
};
use sivka_ffi::status::{
    SIVKA_ERROR_CANCELLED, SIVKA_ERROR_KEY_COUNT, SIVKA_ERROR_NULL, SIVKA_ERROR_READ,
    SIVKA_ERROR_SLOT, SIVKA_ERROR_TRUNCATED, SIVKA_ERROR_WRONG_KEY, SIVKA_OK, Status,
};
use sivka_ffi::stream::{
    sivka_opener_finish, sivka_opener_free, sivka_opener_new, sivka_opener_update,
    sivka_sealer_finish, sivka_sealer_free, sivka_sealer_new, sivka_sealer_update,
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

/// What progress heard, and when it stops.
#[derive(Default)]
struct Heard {
    stop_at: Option<u64>,
    /// When a number comes the second time.
    stop_at_second: bool,
    told: Vec<(ThreadId, u64)>,
}

unsafe extern "C" fn progress(context: *mut c_void, done: u64) -> i32 {
    // SAFETY: the context is `Heard`, which nothing else uses during a call.
    let heard = unsafe { &mut *context.cast::<Heard>() };
    heard.told.push((thread::current().id(), done));
    let times = heard.told.iter().filter(|told| told.1 == done).count();
    let is_second = heard.stop_at_second && times == 2;
    i32::from(is_second || heard.stop_at.is_some_and(|limit| done >= limit))
}

/// A sealed file that a function gives, unless it refuses.
struct Sealed {
    bytes: Vec<u8>,
    refuses: bool,
}

unsafe extern "C" fn read_at(
    context: *mut c_void,
    position: u64,
    out: *mut u8,
    len: usize,
    got: *mut usize,
) -> i32 {
    let position = usize::try_from(position).unwrap();
    // SAFETY: the context is `Sealed`, and the buffer has the length beside it.
    unsafe {
        let sealed = &*context.cast::<Sealed>();
        if sealed.refuses {
            return 5;
        }
        let rest = sealed.bytes.get(position..).unwrap_or_default();
        // Pieces of an odd length.
        let piece = len.min(rest.len()).min(7001);
        slice::from_raw_parts_mut(out, piece).copy_from_slice(&rest[..piece]);
        *got = piece;
    }
    0
}

/// A function that gives a stream pieces and rooms of these lengths, and what it makes of them,
/// with the status that it ended with.
macro_rules! stream {
    ($name:ident, |$key:ident, $made:ident| $new:expr, $update:ident, $finish:ident, $free:ident) => {
        fn $name($key: &Key, input: &[u8], piece: usize, room: usize) -> (Vec<u8>, Status) {
            let (mut all, mut out, mut status) = (Vec::new(), vec![0; room], SIVKA_OK);
            let (mut used, mut len, mut stream, mut read) = (9, 9, ptr::null_mut(), 0);
            let (to, $made) = (out.as_mut_ptr(), &raw mut stream);
            // SAFETY: live keys and places, a stream that is freed once, and buffers with their
            // lengths.
            unsafe {
                assert_eq!($new, SIVKA_OK);
                while status == SIVKA_OK && read < input.len() {
                    let (from, from_len) = (&input[read], piece.min(input.len() - read));
                    status = $update(
                        stream,
                        from,
                        from_len,
                        &raw mut used,
                        to,
                        room,
                        &raw mut len,
                    );
                    assert!(status != SIVKA_OK || used == from_len || len == room);
                    assert!(status == SIVKA_OK || (used, len) == (0, 0));
                    all.extend_from_slice(&out[..len]);
                    read += used;
                }
                len = 1;
                while status == SIVKA_OK && len > 0 {
                    status = $finish(stream, to, room, &raw mut len);
                    all.extend_from_slice(&out[..len]);
                }
                $free(stream);
            }
            (all, status)
        }
    };
}
stream!(
    sealed,
    |key, made| sivka_sealer_new(key.keys, 0, made),
    sivka_sealer_update,
    sivka_sealer_finish,
    sivka_sealer_free
);
stream!(
    opened,
    |key, made| sivka_opener_new(key.keys, made),
    sivka_opener_update,
    sivka_opener_finish,
    sivka_opener_free
);

fn seal(text: &[u8], key: &Key) -> Vec<u8> {
    let (sealed, status) = sealed(key, text, 1 << 20, 1 << 20);
    assert_eq!(status, SIVKA_OK);
    sealed
}

fn text(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at * 7 + at / 251) as u8).collect()
}

#[test]
fn streams_open_to_what_was_sealed() {
    let key = Key::generate();
    for (len, piece, room) in [
        (0, 1, 1),
        (1, 1, 1),
        (16_384, 999, 77),
        (100_000, 100_000, 16_384),
        (3_000_000, 7001, 20_000),
        (20_000_000, 20_000_000, 5_000_000),
    ] {
        let text = text(len);
        let (sealed, status) = sealed(&key, &text, piece, room);
        assert_eq!(status, SIVKA_OK);
        assert!(opened(&key, &sealed, piece, room) == (text.clone(), SIVKA_OK));

        let cut = &sealed[..sealed.len() - 1 - len.min(20)];
        let (part, status) = opened(&key, cut, piece, room);
        assert_eq!(status, SIVKA_ERROR_TRUNCATED);
        assert!(text.starts_with(&part) && part.len() < len.max(1));
        let wrong = opened(&Key::generate(), &sealed, piece, room);
        assert_eq!(wrong, (Vec::new(), SIVKA_ERROR_WRONG_KEY));
    }
}

/// The plaintext of a chunk does not wait for another one.
#[test]
fn a_chunk_comes_out_once_it_is_there() {
    let key = Key::generate();
    let text = text(40_000);
    let sealed = seal(&text, &key);
    let (mut opener, mut out, mut whole) = (ptr::null_mut(), vec![0; 50_000], Vec::new());
    // SAFETY: live keys and places, and buffers with their lengths.
    unsafe {
        assert_eq!(sivka_opener_new(key.keys, &raw mut opener), SIVKA_OK);
        for byte in &sealed {
            let (mut used, mut len, to, room) = (0, 0, out.as_mut_ptr(), out.len());
            let status =
                sivka_opener_update(opener, byte, 1, &raw mut used, to, room, &raw mut len);
            assert_eq!((status, used), (SIVKA_OK, 1));
            assert!([0, 16_384].contains(&len));
            whole.extend_from_slice(&out[..len]);
        }
        sivka_opener_free(opener);
    }
    assert!(whole == text[..32_768]);
}

/// A reader of `sealed`, or why there is none.
fn reader(sealed: &mut Sealed, key: &Key) -> Result<*mut FileReader, Status> {
    let (len, context) = (sealed.bytes.len() as u64, ptr::from_mut(sealed).cast());
    let mut made = ptr::dangling_mut();
    // SAFETY: a function as the header asks, which `sealed` outlives, and a live set of keys.
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
    let refuses = false;
    let bytes = seal(&text, &key);
    let mut sealed = Sealed { bytes, refuses };
    let made = reader(&mut sealed, &key).unwrap();
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
        sealed.refuses = true;
        let start = out.as_mut_ptr();
        let status = sivka_file_reader_read(made, 100_000, start, out.len(), &raw mut len);
        assert_eq!((status, len), (SIVKA_ERROR_READ, 0));
        assert!(out.iter().all(|&byte| byte == 0));
        sivka_file_reader_free(made);
    }
    sealed.refuses = false;
    let other = reader(&mut sealed, &Key::generate());
    assert_eq!(other, Err(SIVKA_ERROR_WRONG_KEY));
    sealed.bytes.pop();
    assert_eq!(reader(&mut sealed, &key), Err(SIVKA_ERROR_TRUNCATED));
    let mut made = ptr::dangling_mut();
    // SAFETY: a missing function is what is tested; nothing is called.
    let status =
        unsafe { sivka_file_reader_of_function(None, 0, ptr::null_mut(), key.keys, &raw mut made) };
    assert!(status == SIVKA_ERROR_NULL && made.is_null());
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
    let mut heard = Heard::default();
    let [from, to, back] = [&plain, &sealed, &opened].map(|path| c_path(path));
    let (from, to, back) = (from.as_ptr(), to.as_ptr(), back.as_ptr());
    let (keys, context, tell) = (
        key.keys,
        ptr::from_mut(&mut heard).cast(),
        Some(progress as _),
    );
    // SAFETY: C strings, a live set of keys, functions as the header asks. `heard` is only
    // looked at between the calls.
    unsafe {
        heard.stop_at = Some(1);
        let status = sivka_seal_file(from, to, keys, 0, 0, tell, context);
        assert_eq!(status, SIVKA_ERROR_CANCELLED);
        assert!(!sealed.exists());
        heard.stop_at = None;
        let status = sivka_seal_file(from, to, keys, 0, 0, tell, context);
        assert_eq!(
            (status, heard.told.last().unwrap().1),
            (SIVKA_OK, 2_000_000)
        );

        heard.stop_at = Some(1);
        let status = sivka_verify_file(to, keys, tell, context);
        assert_eq!(status, SIVKA_ERROR_CANCELLED);
        let status = sivka_open_file(to, back, keys, 0, tell, context);
        assert_eq!(status, SIVKA_ERROR_CANCELLED);
        assert!(!opened.exists());
        heard.stop_at = None;
        let status = sivka_open_file(to, back, keys, 0, tell, context);
        assert_eq!(
            (status, heard.told.last().unwrap().1),
            (SIVKA_OK, 2_000_000)
        );

        // Twice, and the second time in this thread.
        let here = (thread::current().id(), 2_000_000);
        assert!(heard.told.ends_with(&[here]));
        assert_eq!(heard.told[heard.told.len() - 2].1, 2_000_000);
        // Who stops there has no output.
        fs::remove_file(&opened).unwrap();
        heard.stop_at_second = true;
        heard.told.clear();
        let status = sivka_open_file(to, back, keys, 0, tell, context);
        assert_eq!(
            (status, heard.told.last()),
            (SIVKA_ERROR_CANCELLED, Some(&here))
        );
        assert!(!opened.exists());
        heard.stop_at_second = false;
        let status = sivka_open_file(to, back, keys, 0, tell, context);
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
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sealed");
    fs::write(&path, seal(&text(50_000), &one)).unwrap();
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
        assert_eq!(
            sivka_verify_file(name, one.keys, None, ptr::null_mut()),
            SIVKA_ERROR_WRONG_KEY
        );
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
        assert_eq!(
            sivka_verify_file(name, three.keys, None, ptr::null_mut()),
            SIVKA_OK
        );

        let mut none = ptr::null_mut();
        assert_eq!(sivka_file_keys_new(&raw mut none), SIVKA_OK);
        let status = sivka_add_slot(name, three.keys, none, ptr::null_mut());
        assert_eq!(status, SIVKA_ERROR_KEY_COUNT);
        sivka_file_keys_free(none);
    }
}
