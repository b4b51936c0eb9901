//! Copying a content, which is secret.

use std::io::{self, Read, Write};

use zeroize::Zeroizing;

use crate::console::Console;

/// Which side of a copy failed.
pub(crate) enum CopyError {
    Read(io::Error),
    Write(io::Error),
}

/// Copies all of `from`, and gives its length in bytes.
pub(crate) fn copy(
    from: &mut dyn Read,
    to: &mut dyn Write,
    console: &Console,
) -> Result<u64, CopyError> {
    let mut buffer = Zeroizing::new(vec![0; 1 << 20]);
    let mut copied = 0;
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(copied),
            Ok(len) => {
                to.write_all(&buffer[..len]).map_err(CopyError::Write)?;
                copied += len as u64;
                console.at(copied);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(CopyError::Read(error)),
        }
    }
}
