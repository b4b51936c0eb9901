//! Sealing and opening keys and keysets in memory.

use std::io::{Read, Write};

use sivka_file::{Error, Lock, OpenOptions, Reader, SealOptions, Unlock, Writer};
use zeroize::Zeroizing;

pub(crate) fn seal(secret: &[u8], locks: &[Lock<'_>]) -> Result<Vec<u8>, Error> {
    let mut writer = Writer::new(Vec::new(), locks, &SealOptions::default())?;
    writer.write_all(secret).map_err(from_io)?;
    writer.finish()
}

pub(crate) fn open(
    sealed: &[u8],
    keys: &[Unlock<'_>],
    options: &OpenOptions,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    // Its whole length at once: a buffer that grows leaves copies of a secret behind.
    let mut text = Zeroizing::new(Vec::with_capacity(sealed.len()));
    let mut reader = Reader::new(sealed, keys, options)?;
    reader.read_to_end(&mut text).map_err(from_io)?;
    Ok(text)
}

/// The format's own error, which a reader wraps in one of input.
fn from_io(error: std::io::Error) -> Error {
    error.downcast().unwrap_or_else(Error::Read)
}
