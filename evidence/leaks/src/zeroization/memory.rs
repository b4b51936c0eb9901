//! The memory of another process, searched for secrets.

use crate::process::mappings;
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;

/// So many bytes in a row are no accident.
const PIECE_LEN: usize = 8;

/// The searched bytes: every run of eight bytes of every secret, with the secret's name.
#[derive(Default)]
pub(super) struct Needles {
    pieces: Vec<(u64, String)>,
}

impl Needles {
    /// A secret as it is, and with its bytes the other way round.
    pub(super) fn add(&mut self, name: &str, secret: &[u8]) {
        let reversed: Vec<u8> = secret.iter().rev().copied().collect();
        for (form, bytes) in [("", secret), (", reversed", &reversed)] {
            for (at, piece) in bytes.windows(PIECE_LEN).enumerate().step_by(4) {
                let piece = piece.first_chunk().map_or(0, |p| u64::from_le_bytes(*p));
                let name = format!("{name}{form}, bytes {at} to {}", at + PIECE_LEN);
                self.pieces.push((piece, name));
            }
        }
    }

    /// The same secrets as they are searched for.
    pub(super) fn finder(mut self) -> Finder {
        // Zeros are everywhere.
        self.pieces.retain(|(piece, _)| *piece != 0);
        self.pieces.sort();
        self.pieces.dedup_by_key(|(piece, _)| *piece);
        let mut likely = vec![false; 1 << FILTER_BITS];
        for (piece, _) in &self.pieces {
            likely[filter(*piece)] = true;
        }
        Finder { pieces: self.pieces, likely }
    }
}

const FILTER_BITS: u32 = 16;

fn filter(piece: u64) -> usize {
    (piece.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - FILTER_BITS)) as usize
}

pub(super) struct Finder {
    pieces: Vec<(u64, String)>,
    /// Most words of memory are no secret, which one look shows.
    likely: Vec<bool>,
}

/// A secret in a process: its name, and its address; for registers, the offset in their saved
/// state.
pub(super) struct Hit {
    pub(super) secret: String,
    pub(super) address: u64,
    pub(super) mapping: String,
}

impl Finder {
    fn named(&self, piece: u64) -> Option<&str> {
        if !self.likely[filter(piece)] {
            return None;
        }
        let found = self.pieces.binary_search_by_key(&piece, |(piece, _)| *piece);
        found.ok().map(|i| self.pieces[i].1.as_str())
    }

    /// Every place in `bytes` where a secret begins.
    fn search<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = (usize, &'a str)> {
        let pieces = bytes.windows(PIECE_LEN).enumerate();
        pieces.filter_map(|(at, piece)| {
            let piece = u64::from_le_bytes(*piece.first_chunk()?);
            Some((at, self.named(piece)?))
        })
    }

    /// Every place in the vector registers of a process, each thread's as the system saves them.
    pub(super) fn search_registers(&self, threads: &[Vec<u8>]) -> Vec<Hit> {
        let places = threads.iter().flat_map(|saved| self.search(saved));
        let hits = places.map(|(at, secret)| Hit {
            secret: secret.to_owned(),
            address: at as u64,
            mapping: "[registers]".to_owned(),
        });
        hits.collect()
    }

    /// Every place in the writable memory of a process, and how many bytes that is.
    pub(super) fn search_process(&self, pid: libc::pid_t) -> Result<(Vec<Hit>, usize), String> {
        let memory = File::open(format!("/proc/{pid}/mem")).map_err(|e| e.to_string())?;
        let (mut hits, mut searched) = (Vec::new(), 0);
        // Memory that was never written holds no secret; and a reserve cannot be read.
        for mapping in mappings(&pid.to_string())?.iter().filter(|mapping| mapping.is_writable) {
            let Range { start: mut at, end } = mapping.range;
            // In parts that overlap, so that none of the secrets is cut.
            while at < end {
                let mut bytes = vec![0; PART_LEN.min((end - at) as usize)];
                let Ok(read) = memory.read_at(&mut bytes, at) else {
                    break;
                };
                bytes.truncate(read);
                searched += read;
                for (offset, secret) in self.search(&bytes) {
                    hits.push(Hit {
                        secret: secret.to_owned(),
                        address: at + offset as u64,
                        mapping: mapping.path.clone(),
                    });
                }
                if read <= PIECE_LEN {
                    break;
                }
                at += (read - PIECE_LEN) as u64;
            }
        }
        Ok((hits, searched))
    }
}

const PART_LEN: usize = 1 << 20;
