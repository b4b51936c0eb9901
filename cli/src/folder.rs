//! A folder as the content of a sealed file: a tar archive after a mark.
//!
//! The content begins with a global pax header of 1024 bytes that holds one comment, which
//! every tar passes over and which says to `open` that this is a folder. After it is
//! an archive in the order that `pack` writes and `unpack` insists on: each folder before
//! what is in it, and nothing of another folder between. docs/spec/folder-v1.md has the form,
//! docs/adr/0030 and 0038 the reasons.

mod acl;
mod archive;
mod attributes;
mod descent;
mod description;
mod entry;
mod extents;
mod list;
mod measure;
mod number;
mod order;
mod pack;
mod partial;
mod patterns;
mod pieces;
mod place;
mod reader;
mod remove;
mod restore;
mod time;
mod unpack;
mod unpacked;
mod way;

use tar::{EntryType, Header};

pub(crate) use list::list;
pub(crate) use measure::measure;
pub(crate) use pack::{Selection, pack};
pub(crate) use partial::Partial;
pub(crate) use patterns::Patterns;
pub(crate) use pieces::{PieceWriter, pipe};
pub(crate) use place::Place;
pub(crate) use reader::Seekable;
pub(crate) use unpack::{Choice, unpack};
pub(crate) use unpacked::Unpacked;

/// The length of the mark in bytes.
pub(crate) const MARK_LEN: usize = 1024;
const BLOCK_LEN: usize = 512;
const COMMENT: &str = "35 comment=sivka folder, version 1\n";
/// What follows a file that was not read as a whole: it is not to be unpacked.
const VOID_COMMENT: &str = "35 comment=the file before is void\n";

/// What the first bytes of a content say that it is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Content {
    File,
    Folder,
    /// A folder in a form that this program does not know.
    NewerFolder,
}

impl Content {
    /// Looks at the first [`MARK_LEN`] bytes, or at all if there are fewer.
    pub(crate) fn of(head: &[u8]) -> Self {
        let mark = mark();
        let version = BLOCK_LEN + COMMENT.len() - 2;
        match head.get(..MARK_LEN) {
            Some(head) if head == mark => Self::Folder,
            Some(head)
                if head[..version] == mark[..version]
                    && head[version].is_ascii_digit()
                    && head[version + 1..] == mark[version + 1..] =>
            {
                Self::NewerFolder
            }
            _ => Self::File,
        }
    }
}

/// What the content of a sealed folder begins with.
fn mark() -> [u8; MARK_LEN] {
    global_header(COMMENT)
}

/// What takes back the file before it.
fn void() -> [u8; MARK_LEN] {
    global_header(VOID_COMMENT)
}

/// A global pax header, which every tar passes over.
fn global_header(comment: &str) -> [u8; MARK_LEN] {
    let mut header = Header::new_ustar();
    let name = b"pax_global_header";
    header.as_mut_bytes()[..name.len()].copy_from_slice(name);
    header.set_entry_type(EntryType::XGlobalHeader);
    header.set_mode(0o644);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header.set_size(comment.len() as u64);
    header.set_cksum();
    let mut blocks = [0; MARK_LEN];
    blocks[..BLOCK_LEN].copy_from_slice(header.as_bytes());
    blocks[BLOCK_LEN..][..comment.len()].copy_from_slice(comment.as_bytes());
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_states_its_own_length() {
        for comment in [COMMENT, VOID_COMMENT] {
            assert!(comment.starts_with(&format!("{} ", comment.len())));
        }
    }

    #[test]
    fn a_mark_is_known_by_every_byte() {
        assert_eq!(Content::of(&mark()), Content::Folder);
        assert_eq!(Content::of(&mark()[..MARK_LEN - 1]), Content::File);
        assert_eq!(Content::of(b""), Content::File);
        for at in 0..MARK_LEN {
            let mut changed = mark();
            changed[at] ^= 3;
            let expected = match at == BLOCK_LEN + COMMENT.len() - 2 {
                true => Content::NewerFolder,
                false => Content::File,
            };
            assert_eq!(Content::of(&changed), expected, "byte {at}");
        }
    }

    /// The mark is an interface: folders that were sealed with it must open for ever.
    #[test]
    fn the_mark_does_not_change() {
        let mark = mark();
        assert_eq!(&mark[..17], b"pax_global_header");
        assert_eq!(
            &mark[100..156],
            b"0000644\x000000000\x000000000\x0000000000043\x0000000000000\x000011374\x00"
        );
        assert_eq!(
            &mark[156..265],
            &[&b"g"[..], &[0; 100], b"ustar\x0000"].concat()
        );
        assert!(mark[265..BLOCK_LEN].iter().all(|&byte| byte == 0));
    }
}
