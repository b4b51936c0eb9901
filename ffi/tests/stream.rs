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
    SIVKA_ERROR_CANCELLED, SIVKA_ERROR_CAPACITY, SIVKA_ERROR_DAMAGED, SIVKA_ERROR_KEY_COUNT,
    SIVKA_ERROR_NOT_SIVKA, SIVKA_ERROR_NULL, SIVKA_ERROR_READ, SIVKA_ERROR_SLOT,
    SIVKA_ERROR_TRUNCATED, SIVKA_ERROR_WRITE, SIVKA_ERROR_WRONG_KEY, SIVKA_OK, Status,
};
use sivka_ffi::stream::{
    Opener, Sealer, sivka_opener_finish, sivka_opener_free, sivka_opener_new, sivka_opener_update,
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

/// What one of the stream functions makes of pieces of the input and rooms of these lengths, and
/// the status that it ended with.
struct Stream<T> {
    handle: *mut T,
    update: unsafe extern "C" fn(
        *mut T,
        *const u8,
        usize,
        *mut usize,
        *mut u8,
        usize,
        *mut usize,
    ) -> Status,
    finish: unsafe extern "C" fn(*mut T, *mut u8, usize, *mut usize) -> Status,
    free: unsafe extern "C" fn(*mut T),
}

impl<T> Stream<T> {
    fn run(self, input: &[u8], piece: usize, room: usize) -> (Vec<u8>, Status) {
        let (mut all, mut out) = (Vec::new(), vec![0; room]);
        let status = self.pieces(input, piece, &mut all, &mut out);
        // SAFETY: made by the caller, and freed once.
        unsafe { (self.free)(self.handle) };
        (all, status)
    }

    fn pieces(&self, input: &[u8], piece: usize, all: &mut Vec<u8>, out: &mut [u8]) -> Status {
        let (mut used, mut len) = (9, 9);
        // SAFETY: a live handle, and buffers with their lengths.
        unsafe {
            for mut piece in input.chunks(piece) {
                while !piece.is_empty() {
                    let (start, room) = (out.as_mut_ptr(), out.len());
                    let (from, from_len) = (piece.as_ptr(), piece.len());
                    let update = self.update;
                    let status = update(
                        self.handle,
                        from,
                        from_len,
                        &raw mut used,
                        start,
                        room,
                        &raw mut len,
                    );
                    all.extend_from_slice(&out[..len]);
                    if status != SIVKA_OK {
                        assert_eq!((used, len), (0, 0));
                        return status;
                    }
                    assert!(used == from_len || len == room);
                    piece = &piece[used..];
                }
            }
            loop {
                let status = (self.finish)(self.handle, out.as_mut_ptr(), out.len(), &raw mut len);
                if (status, len) == (SIVKA_OK, 0) || status != SIVKA_OK {
                    return status;
                }
                all.extend_from_slice(&out[..len]);
            }
        }
    }
}

fn sealer(key: &Key) -> Stream<Sealer> {
    let mut handle = ptr::null_mut();
    // SAFETY: a live set of keys and a live place.
    let status = unsafe { sivka_sealer_new(key.keys, 0, &raw mut handle) };
    assert_eq!(status, SIVKA_OK);
    Stream {
        handle,
        update: sivka_sealer_update,
        finish: sivka_sealer_finish,
        free: sivka_sealer_free,
    }
}

fn opener(key: &Key) -> Stream<Opener> {
    let mut handle = ptr::null_mut();
    // SAFETY: a live set of keys and a live place.
    let status = unsafe { sivka_opener_new(key.keys, &raw mut handle) };
    assert_eq!(status, SIVKA_OK);
    Stream {
        handle,
        update: sivka_opener_update,
        finish: sivka_opener_finish,
        free: sivka_opener_free,
    }
}

fn seal(text: &[u8], key: &Key) -> Vec<u8> {
    let (sealed, status) = sealer(key).run(text, 1 << 20, 1 << 20);
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
        let (sealed, status) = sealer(&key).run(&text, piece, room);
        assert_eq!(status, SIVKA_OK);
        let (opened, status) = opener(&key).run(&sealed, piece, room);
        assert_eq!(status, SIVKA_OK);
        assert!(opened == text);

        let cut = &sealed[..sealed.len() - 1 - len.min(20)];
        let (opened, status) = opener(&key).run(cut, piece, room);
        assert_eq!(status, SIVKA_ERROR_TRUNCATED);
        assert!(text.starts_with(&opened) && opened.len() < len.max(1));
        let (opened, status) = opener(&Key::generate()).run(&sealed, piece, room);
        assert_eq!((opened.len(), status), (0, SIVKA_ERROR_WRONG_KEY));
    }
}

#[test]
fn what_comes_before_damage_is_given_first() {
    let key = Key::generate();
    let text = text(100_000);
    let mut sealed = seal(&text, &key);
    let at = sealed.len() - 50_000;
    sealed[at] ^= 1;
    for (piece, room) in [(1, 1), (999, 5_000), (200_000, 200_000)] {
        let (opened, status) = opener(&key).run(&sealed, piece, room);
        assert_eq!(status, SIVKA_ERROR_DAMAGED);
        assert!(text.starts_with(&opened) && opened.len() % 16_384 == 0 && !opened.is_empty());
    }
    let (opened, status) = opener(&key).run(&text, 999, 999);
    assert_eq!((opened.len(), status), (0, SIVKA_ERROR_NOT_SIVKA));
    let (opened, status) = opener(&key).run(&sealed[..1_000], 999, 999);
    assert_eq!((opened.len(), status), (0, SIVKA_ERROR_TRUNCATED));
}

/// The plaintext of a chunk does not wait for another one.
#[test]
fn a_chunk_comes_out_once_it_is_there() {
    let key = Key::generate();
    let text = text(40_000);
    let sealed = seal(&text, &key);
    let opener = opener(&key);
    let mut out = vec![0; 50_000];
    let mut whole = Vec::new();
    for byte in &sealed {
        let (mut used, mut len) = (0, 0);
        let (start, room) = (out.as_mut_ptr(), out.len());
        // SAFETY: a live opener, and buffers with their lengths.
        let status = unsafe {
            sivka_opener_update(
                opener.handle,
                byte,
                1,
                &raw mut used,
                start,
                room,
                &raw mut len,
            )
        };
        assert_eq!((status, used), (SIVKA_OK, 1));
        assert!([0, 16_384].contains(&len));
        whole.extend_from_slice(&out[..len]);
    }
    assert!(whole == text[..32_768]);
    // SAFETY: made above, and freed once.
    unsafe { sivka_opener_free(opener.handle) };
}

#[test]
fn nothing_comes_after_the_end_or_a_failure() {
    let key = Key::generate();
    let (sealer, opener) = (sealer(&key), opener(&key));
    let (mut used, mut len, mut out) = (9, 9, [0; 8_192]);
    let (start, room) = (out.as_mut_ptr(), out.len());
    let (from, used, len) = (c"text".as_ptr().cast(), &raw mut used, &raw mut len);
    // SAFETY: live handles, and buffers with their lengths.
    unsafe {
        let update =
            |stream: *mut Sealer| sivka_sealer_update(stream, from, 4, used, start, room, len);
        assert_eq!(update(sealer.handle), SIVKA_OK);
        assert_eq!((*used, *len), (4, 2_104));
        let status = sivka_sealer_finish(sealer.handle, start, 0, len);
        assert_eq!(status, SIVKA_ERROR_CAPACITY);
        assert_eq!(
            sivka_sealer_finish(sealer.handle, start, room, len),
            SIVKA_OK
        );
        assert_eq!(update(sealer.handle), SIVKA_ERROR_WRITE);
        assert_eq!(
            sivka_sealer_finish(sealer.handle, start, room, len),
            SIVKA_OK
        );
        assert_eq!(*len, 0);
        sivka_sealer_free(sealer.handle);

        let finish = || sivka_opener_finish(opener.handle, start, room, len);
        assert_eq!(finish(), SIVKA_ERROR_NOT_SIVKA);
        assert_eq!(finish(), SIVKA_ERROR_READ);
        let status = sivka_opener_update(opener.handle, from, 4, used, start, room, len);
        assert_eq!((status, *used, *len), (SIVKA_ERROR_READ, 0, 0));
        sivka_opener_free(opener.handle);
    }
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
