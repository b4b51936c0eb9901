//! The seeking reader against a model: a `Cursor` over the plaintext.

use super::support::{HEAD_LEN, SEALED_CHUNK_LEN, key, opening, painted, sealed};
use proptest::prelude::*;
use sivka_file::{CHUNK_LEN, Error, Reader, Unlock};
use std::io::{Cursor, Read, Seek, SeekFrom};

fn reader(file: Vec<u8>) -> Result<Reader<Cursor<Vec<u8>>>, Error> {
    Reader::new(Cursor::new(file), &[Unlock::KeyFile(&key())], &opening(1))
}

#[derive(Clone, Debug)]
enum Step {
    Seek(SeekFrom),
    Read(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let near = CHUNK_LEN as i64;
    let step = prop_oneof![
        (0..5 * near as u64).prop_map(|to| Step::Seek(SeekFrom::Start(to))),
        Just(Step::Seek(SeekFrom::Start(u64::MAX))),
        (-5 * near..near).prop_map(|by| Step::Seek(SeekFrom::End(by))),
        (-2 * near..2 * near).prop_map(|by| Step::Seek(SeekFrom::Current(by))),
        (0..40_000_usize).prop_map(Step::Read),
        (0..3_usize).prop_map(Step::Read),
    ];
    prop::collection::vec(step, 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn equals_a_cursor_over_the_plaintext(
        before in 0..9_usize,
        len in prop_oneof![0..4_usize, 0..4 * CHUNK_LEN, Just(CHUNK_LEN), Just(3 * CHUNK_LEN)],
        steps in steps(),
    ) {
        let plaintext = painted(len);
        let mut model = Cursor::new(&plaintext);
        // The file may begin anywhere in its input.
        let mut input = Cursor::new([&painted(before)[..], &sealed(&plaintext)].concat());
        input.set_position(before as u64);
        let mut reader = Reader::new(input, &[Unlock::KeyFile(&key())], &opening(1)).unwrap();
        prop_assert_eq!(reader.len().unwrap(), len as u64);
        for step in steps {
            match step {
                Step::Seek(to) => {
                    let (ours, theirs) = (reader.seek(to), model.seek(to));
                    prop_assert_eq!(ours.ok(), theirs.ok());
                }
                Step::Read(len) => {
                    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                    reader.by_ref().take(len as u64).read_to_end(&mut ours).unwrap();
                    model.by_ref().take(len as u64).read_to_end(&mut theirs).unwrap();
                    prop_assert_eq!(ours, theirs);
                }
            }
            prop_assert_eq!(reader.stream_position().unwrap(), model.stream_position().unwrap());
        }
    }
}

#[test]
fn damage_is_found_where_it_is_read_and_nowhere_else() {
    let plaintext = painted(257 * CHUNK_LEN + 5);
    let mut file = sealed(&plaintext);
    file[HEAD_LEN + SEALED_CHUNK_LEN] ^= 1;
    let mut reader = reader(file).unwrap();
    let mut chunk = vec![0; CHUNK_LEN];
    for (number, is_intact) in [(0, true), (1, false), (256, true), (1, false), (0, true)] {
        let position = number * CHUNK_LEN;
        reader.seek(SeekFrom::Start(position as u64)).unwrap();
        chunk.fill(0xee);
        let outcome = reader.read_exact(&mut chunk);
        assert_eq!(outcome.is_ok(), is_intact, "chunk {number}");
        if is_intact {
            assert_eq!(chunk, plaintext[position..position + CHUNK_LEN]);
        } else {
            assert!(chunk.iter().all(|&byte| byte == 0xee), "plaintext got out");
            let error = Error::from(outcome.unwrap_err());
            assert!(matches!(error, Error::Damaged { chunk: 1 }), "{error}");
        }
    }
}
