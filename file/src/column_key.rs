//! Keys of columns, from key files (docs/spec/column-v1.md, section 3).

use crate::derive::expand;
use crate::error::Error;
use crate::key_file::KeyFile;
use sivka::{Aead, Algorithm};
use zeroize::Zeroizing;

impl KeyFile {
    /// The key for columns under one algorithm: never that of a file, nor that of columns
    /// under another algorithm.
    ///
    /// # Errors
    /// [`Error::Aead`] if this CPU fails the algorithm's self-check.
    ///
    /// # Example
    /// ```
    /// use sivka::{Aead, Algorithm};
    /// use sivka_file::KeyFile;
    ///
    /// let file = KeyFile::generate("patients")?;
    /// let algorithm = Algorithm::find("AES-256-GCM-SIV").unwrap();
    /// let key = file.column_key(algorithm)?;
    /// let row = key.seal(b"note", b"visits.note").map_err(sivka_file::Error::Aead)?;
    /// let opened = file.column_key(algorithm)?.open(&row, b"visits.note");
    /// assert_eq!(opened, Ok(b"note".to_vec()));
    /// # Ok::<(), sivka_file::Error>(())
    /// ```
    pub fn column_key(&self, algorithm: &Algorithm) -> Result<Box<dyn Aead>, Error> {
        let mut key = Zeroizing::new(vec![0; algorithm.key_len()]);
        let name = algorithm.name().as_bytes();
        expand(self.as_bytes(), &[b"sivka.column.v1 ", name], &mut key);
        algorithm.new_key(&key).map_err(Error::Aead)
    }
}
