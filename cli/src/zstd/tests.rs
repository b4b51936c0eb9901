//! Contents that a writer makes, and what is salvaged of them.
#![expect(clippy::single_range_in_vec_init, reason = "lists of one range are meant")]

use std::io::{Cursor, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use super::frame::HEAD_LEN;
use super::table::{PART_LEN, Table};
use super::{Reader, Writer, salvage};

const PART: usize = PART_LEN as usize;

/// A content that compresses, of which no two MiB are equal.
fn plain(len: usize) -> Vec<u8> {
    (0..len).map(|i| ((i / 5000) ^ (i % 11)) as u8).collect()
}

fn compressed(plain: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), *b"the mark").unwrap();
    writer.write_all(plain).unwrap();
    writer.finish().unwrap()
}

/// Where each frame lies.
fn frames(content: &[u8]) -> Vec<Range<usize>> {
    let table = Table::load(&mut Cursor::new(content)).unwrap();
    let frames = (0..).map_while(|index| table.frame(index));
    let place = |place: Range<u64>| place.start as usize..place.end as usize;
    frames.map(|(lies, _)| place(lies)).collect()
}

#[test]
fn what_is_written_is_read() {
    for len in [0, 1, PART - 1, PART, PART + 1, 3 * PART + 7] {
        let (plain, mut out) = (plain(len), [Vec::new(), Vec::new(), Vec::new()]);
        let content = compressed(&plain);
        assert!(content.len() < 17 + 32 * (len / PART + 1) + len / 20 + 50);
        Reader::new(&content[..]).unwrap().read_to_end(&mut out[0]).unwrap();
        let mut reader = Reader::new(Cursor::new(&content)).unwrap();
        assert_eq!(reader.seek(SeekFrom::End(0)).unwrap(), len as u64);
        reader.rewind().unwrap();
        reader.read_to_end(&mut out[1]).unwrap();
        for frame in frames(&content) {
            let frame = &content[frame][HEAD_LEN..];
            let mut another = ruzstd::decoding::StreamingDecoder::new(frame).unwrap();
            another.read_to_end(&mut out[2]).unwrap();
        }
        assert!(out.iter().all(|out| *out == plain), "{len}");
    }
}

#[test]
fn any_part_is_read_alone() {
    let plain = plain(3 * PART + 500);
    let content = compressed(&plain);
    let mut reader = Reader::new(Cursor::new(&content)).unwrap();
    reader.read_exact(&mut [0; 10]).unwrap();
    assert_eq!(reader.stream_position().unwrap(), 10);
    for (at, len) in [
        (2 * PART - 5, 10),
        (0, 1),
        (3 * PART, 500),
        (5, PART),
        (3 * PART + 500, 0),
        (1 << 50, 0),
        (0, 10),
    ] {
        assert_eq!(reader.seek(SeekFrom::Start(at as u64)).unwrap(), at as u64);
        let mut part = vec![0; len];
        reader.read_exact(&mut part).unwrap();
        assert_eq!(part, plain.get(at..at + len).unwrap_or_default());
    }
    reader.seek(SeekFrom::End(-3)).unwrap();
    assert_eq!(reader.read(&mut [0; 9]).unwrap(), 3);
    let before = reader.seek(SeekFrom::Current(i64::MIN)).unwrap_err();
    assert_eq!(before.kind(), ErrorKind::InvalidInput);
}

/// Salvages a content of which bytes are lost, and gives what came and what is lost of it.
fn salvaged(content: &[u8], lost: &[Range<u64>]) -> (Vec<u8>, Vec<Range<u64>>, u64, bool) {
    let (mut torn, mut out) = (content.to_vec(), Vec::new());
    for lost in lost {
        torn[lost.start as usize..lost.end as usize].fill(0xA5);
    }
    let (lost, end, has_end) = salvage(Cursor::new(&torn), lost, *b"the mark", &mut out).unwrap();
    (out, lost, end, has_end)
}

#[test]
fn salvage_gives_every_frame_that_is_whole() {
    let plain = plain(5 * PART + 99);
    let content = compressed(&plain);
    let frames = frames(&content);
    let hit = |index: usize| frames[index].start as u64 + 9..frames[index].start as u64 + 10;
    let end = content.len() as u64;
    let [all, last] = [plain.len() as u64, 5 * PART_LEN];
    let table = end - 12..end - 11;
    let two = [0..PART_LEN, 3 * PART_LEN..last];
    for (lost, ranges, open_end) in [
        (vec![], vec![], None),
        (vec![hit(0), hit(3), hit(4)], two.to_vec(), None),
        (vec![hit(5)], vec![last..all], None),
        (vec![table.clone()], vec![], Some(all)),
        (vec![hit(0), hit(3), hit(4), table.clone()], two.to_vec(), Some(all)),
        (vec![hit(4), hit(5), table], vec![], Some(4 * PART_LEN)),
    ] {
        let end = open_end.unwrap_or(all);
        let mut expected = plain[..end as usize].to_vec();
        for hole in &ranges {
            expected[hole.start as usize..hole.end as usize].fill(0);
        }
        let (out, holes, len, has_end) = salvaged(&content, &lost);
        assert!(out == expected, "{lost:?}");
        assert_eq!((holes, len, has_end), (ranges, end, open_end.is_none()), "{lost:?}");
    }
    // Authentic, and malformed.
    let mut other = content.clone();
    other[frames[3].end - 9] ^= 1;
    assert_eq!(salvaged(&other, &[]).1, [3 * PART_LEN..4 * PART_LEN]);
    // Cut within a frame: those before it are there.
    let (out, ..) = salvaged(&content[..frames[3].end - 1], &[]);
    assert!(out == plain[..3 * PART]);
}

#[test]
fn salvage_knows_frames_of_its_file_from_those_in_its_content() {
    let mut inner = Writer::new(Vec::new(), *b"not that").unwrap();
    inner.write_all(&plain(3 * PART)).unwrap();
    // Compressed once, it is stored as it is.
    let mut plain = inner.finish().unwrap();
    plain.resize(PART + 1000, 1);
    let content = compressed(&plain);
    let table = frames(&content)[1].end as u64..content.len() as u64;
    let (out, lost, end, has_end) = salvaged(&content, &[40..41, table]);
    assert!(out[..PART].iter().all(|byte| *byte == 0) && out[PART..] == plain[PART..]);
    assert_eq!((lost, end, has_end), (vec![0..PART_LEN], plain.len() as u64, false));
}
