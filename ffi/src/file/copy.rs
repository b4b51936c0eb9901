//! Whole streams, sealed and opened in the caller's thread and as many others as there are cores.

use super::keys::HeldKeys;
use sivka_file::{Error, Reader, Suite, Writer};
use std::io::{self, Read, Seek, Write};
use zeroize::Zeroizing;

/// Bytes that are read at a time.
const BUFFER_LEN: usize = 256 << 10;

/// Seals all of `input`. `progress` gets the bytes of plaintext done, and says whether to stop.
pub(crate) fn seal(
    mut input: impl Read,
    output: impl Write,
    (keys, suite): (&HeldKeys, Suite),
    progress: impl FnMut(u64) -> bool,
) -> Result<(), Error> {
    let mut writer = Writer::new(output, &keys.locks(), &keys.seal_options(suite))?;
    copy(&mut input, &mut writer, progress)?;
    writer.finish().map(drop)
}

/// Opens all of `input`, with `progress` as in [`seal`].
pub(crate) fn open(
    input: impl Read + Seek,
    mut output: impl Write,
    keys: &HeldKeys,
    progress: impl FnMut(u64) -> bool,
) -> Result<(), Error> {
    let mut reader = Reader::new(input, &keys.unlocks(), &keys.open_options())?;
    copy(&mut reader, &mut output, progress)
}

fn copy(
    input: &mut impl Read,
    output: &mut impl Write,
    mut progress: impl FnMut(u64) -> bool,
) -> Result<(), Error> {
    let mut buffer = Zeroizing::new(vec![0; BUFFER_LEN]);
    let mut done = 0;
    loop {
        let read = match input.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        output.write_all(&buffer[..read]).map_err(Error::from_write)?;
        done += read as u64;
        if (read > 0 || done == 0) && progress(done) {
            return Err(Error::Read(io::Error::other("stopped by the caller")));
        }
        if read == 0 {
            return output.flush().map_err(Error::from_write);
        }
    }
}
