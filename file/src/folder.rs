//! Folders as the content of a sealed file: packed into an archive, listed, unpacked, salvaged.
//!
//! The archive is one strict form of pax, which every program for tar reads. The normative text is
//! `docs/spec/folder-v1.md`. Nothing here seals or opens: [`pack`] writes into a
//! [`Writer`](crate::Writer) whose kind says that it has a folder, and [`unpack`] reads from a
//! [`Reader`](crate::Reader).
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use sivka_file::folder::{Entries, Pack, Unpack, pack, unpack};
//! # let desk = tempfile::tempdir()?;
//! # let (photos, restored) = (desk.path().join("photos"), desk.path().join("restored"));
//! # std::fs::create_dir(&photos)?;
//! # std::fs::write(photos.join("cat.jpg"), "purr")?;
//! let mut archive = Vec::new();
//! pack(&photos, &mut archive, &Pack::default())?;
//!
//! let mut stream = archive.as_slice();
//! let mut entries = Entries::new(&mut stream);
//! while let Some(entry) = entries.next_entry()? {
//!     println!("{}", entry.path.display());
//! }
//!
//! let mut stream = archive.as_slice();
//! unpack(Entries::new(&mut stream), &restored, &Unpack::default())?;
//! assert_eq!(std::fs::read(restored.join("cat.jpg"))?, b"purr");
//! # Ok(())
//! # }
//! ```

mod entries;
mod error;
mod pack;
mod place;
mod restore;
mod tar;
mod unpack;

pub use entries::{Entries, ReadSeek};
pub use error::{Error, Named, Why};
pub use pack::{Pack, Packed, pack};
pub use place::Naming;
pub use restore::NotRestored;
pub use tar::{Entry, EntryKind, Time};
pub use unpack::{Unpack, Unpacked, unpack};
