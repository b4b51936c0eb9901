//! Keys of AEADs: what their classes share.

use crate::buffer::View;
use crate::error::{length_in_bytes, of_file, of_key_file, of_message};
use crate::handle::Shared;
use crate::names::find;
use crate::new_bytes::NewBytes;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use sivka::{Aead, Algorithm, Error};
use sivka_file::KeyFile;

/// A key of any AEAD, with the lengths of its algorithm.
pub(crate) struct Key {
    pub(crate) held: Shared<Box<dyn Aead>>,
    pub(crate) algorithm: &'static Algorithm,
    pub(crate) nonce_len: usize,
    pub(crate) tag_len: usize,
    /// Where text and tag begin, where both are in one buffer.
    tag_first: bool,
}

/// Text and tag of one message in one buffer.
pub(crate) fn split_mut<'a>(key: &Key, joined: &'a mut [u8]) -> (&'a mut [u8], &'a mut [u8]) {
    if key.tag_first {
        let (tag, text) = joined.split_at_mut(key.tag_len);
        (text, tag)
    } else {
        joined.split_at_mut(joined.len() - key.tag_len)
    }
}

impl Key {
    /// A key of these bytes, or of the key file that they are the content of.
    pub(crate) fn new(name: &str, key: &Bound<'_, PyAny>, of_columns: bool) -> PyResult<Self> {
        let py = key.py();
        let algorithm = find(name)?;
        let aead = if of_columns {
            let file = match key.cast::<PyString>() {
                Ok(text) => KeyFile::parse(text.to_str()?),
                Err(_) => KeyFile::parse(View::of(key, "key_file")?.bytes()),
            };
            let file = file.map_err(|error| of_key_file(py, &error))?;
            let made = file.column_key(algorithm);
            made.map_err(|error| of_file(py, error, None))?
        } else {
            let bytes = View::of(key, "key")?;
            let made = algorithm.new_key(bytes.bytes());
            made.map_err(|error| of_message(py, error))?
        };
        Ok(Self {
            held: Shared::new("the key", aead),
            algorithm,
            nonce_len: algorithm.nonce_len(),
            tag_len: algorithm.tag_len(),
            tag_first: algorithm.tag_first(),
        })
    }

    /// Where a message's text begins, in what it is sealed to.
    pub(crate) fn text_at(&self) -> usize {
        if self.tag_first { self.tag_len } else { 0 }
    }

    /// Text and tag of one message in one buffer, or None if it is too short for a tag.
    pub(crate) fn split<'a>(&self, joined: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        let text_len = joined.len().checked_sub(self.tag_len)?;
        Some(if self.tag_first {
            let (tag, text) = joined.split_at(self.tag_len);
            (text, tag)
        } else {
            joined.split_at(text_len)
        })
    }

    /// That a nonce is too long is said even of what is too short to open.
    fn check_nonce(&self, nonce: &[u8]) -> Result<(), Error> {
        let (expected, given) = (self.nonce_len, nonce.len());
        match expected == given {
            true => Ok(()),
            false => Err(Error::NonceLen { expected, given }),
        }
    }

    /// Carries `call` out with the key; it works on so many bytes.
    #[inline]
    pub(crate) fn run(
        &self,
        py: Python<'_>,
        len: usize,
        call: impl FnOnce(&dyn Aead) -> Result<(), Error> + Send,
    ) -> PyResult<()> {
        let done = self.held.run(py, len, |aead| call(&**aead))?;
        done.map_err(|error| of_message(py, error))
    }

    /// Ciphertext and tag in new bytes, after a nonce that is drawn, if there is none. An algorithm
    /// without nonces has an empty one.
    #[inline]
    pub(crate) fn seal<'py>(
        &self,
        py: Python<'py>,
        nonce: Option<&View<'_, 'py>>,
        data: &View<'_, 'py>,
        aad: &View<'_, 'py>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (data, aad) = (data.bytes(), aad.bytes());
        let front_len = nonce.map_or(self.nonce_len, |_| 0);
        let len = data.len().checked_add(front_len + self.tag_len);
        let mut sealed = NewBytes::new(py, len)?;
        let (front, joined) = sealed.bytes_mut().split_at_mut(front_len);
        let given = nonce.map(|nonce| nonce.bytes());
        self.run(py, data.len().max(aad.len()), |aead| {
            if given.is_none() {
                let len = (data.len() as u64).saturating_add(aad.len() as u64);
                aead.draw_nonces(front, len)?;
            }
            let (text, tag) = split_mut(self, joined);
            aead.seal_into(given.unwrap_or(front), data, aad, text, tag)
        })?;
        Ok(sealed.done())
    }

    /// The plaintext in new bytes, of what [`seal`](Self::seal) returned.
    #[inline]
    pub(crate) fn open<'py>(
        &self,
        py: Python<'py>,
        nonce: Option<&View<'_, 'py>>,
        data: &View<'_, 'py>,
        aad: &View<'_, 'py>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (data, aad) = (data.bytes(), aad.bytes());
        let front_len = nonce.map_or(self.nonce_len, |_| 0);
        // What is too short for a nonce is too short for a tag after it.
        let (front, joined) = data.split_at_checked(front_len).unwrap_or((&[], &[]));
        let nonce = nonce.map(|nonce| nonce.bytes());
        let text_len = joined.len().saturating_sub(self.tag_len);
        let mut opened = NewBytes::new(py, Some(text_len))?;
        let plaintext = opened.bytes_mut();
        self.run(py, data.len().max(aad.len()), |aead| {
            if let Some(nonce) = nonce {
                self.check_nonce(nonce)?;
            }
            let (text, tag) = self.split(joined).ok_or(Error::Open)?;
            aead.open_into(nonce.unwrap_or(front), text, aad, tag, plaintext)
        })?;
        Ok(opened.done())
    }

    /// Ciphertext and tag in the caller's buffer, which has just their length. The plaintext may
    /// be where its ciphertext will.
    pub(crate) fn seal_into(
        &self,
        py: Python<'_>,
        nonce: Option<&View<'_, '_>>,
        data: &View<'_, '_>,
        aad: &View<'_, '_>,
        buf: &mut View<'_, '_>,
    ) -> PyResult<usize> {
        let nothing = View::nothing();
        let nonce = nonce.unwrap_or(&nothing);
        let room = data.len().saturating_add(self.tag_len);
        let in_place = data.at().addr() == buf.at().addr() + self.text_at();
        let fits = check_buf(buf, room, nonce, aad, data, in_place);
        fits.or_else(|error| self.held.get().and(Err(error)))?;
        let (nonce, aad) = (nonce.bytes(), aad.bytes());
        let data = (!in_place).then(|| data.bytes());
        // SAFETY: a view to write to, and the others are apart; no slice is of data in its place.
        let joined = unsafe { buf.bytes_mut() };
        self.run(py, room.max(aad.len()), |aead| {
            let (text, tag) = split_mut(self, joined);
            match data {
                Some(data) => aead.seal_into(nonce, data, aad, text, tag),
                None => aead.seal_in_place(nonce, aad, text, tag),
            }
        })?;
        Ok(room)
    }

    /// The plaintext in the caller's buffer, which has just its length. It may be where the
    /// ciphertext is.
    pub(crate) fn open_into(
        &self,
        py: Python<'_>,
        nonce: Option<&View<'_, '_>>,
        data: &View<'_, '_>,
        aad: &View<'_, '_>,
        buf: &mut View<'_, '_>,
    ) -> PyResult<usize> {
        let nothing = View::nothing();
        let nonce = nonce.unwrap_or(&nothing);
        // What is too short to open is forged, whatever `buf` is.
        let room = data.len().checked_sub(self.tag_len).ok_or(Error::Open);
        let room = self.check_nonce(nonce.bytes()).and(room);
        let in_place = buf.at().addr() == data.at().addr() + self.text_at();
        let fits = match room {
            Ok(room) => check_buf(buf, room, nonce, aad, data, in_place).map(|()| room),
            Err(error) => Err(of_message(py, error)),
        };
        let room = fits.or_else(|error| self.held.get().and(Err(error)))?;
        let (nonce, aad) = (nonce.bytes(), aad.bytes());
        let mut tag_room = [0; 64];
        let mut text = None;
        if let Some((apart, tag)) = self.split(data.bytes()) {
            tag_room[..self.tag_len].copy_from_slice(tag);
            text = (!in_place).then_some(apart);
        }
        let tag = &tag_room[..self.tag_len];
        // SAFETY: as in `seal_into`; of data in its place the tag was copied.
        let plaintext = unsafe { buf.bytes_mut() };
        self.run(py, room.max(aad.len()), |aead| match text {
            Some(text) => aead.open_into(nonce, text, aad, tag, plaintext),
            None => aead.open_in_place(nonce, aad, plaintext, tag),
        })?;
        Ok(room)
    }
}

/// A buffer to write to is as long as what is written, and changes no other argument.
fn check_buf(
    buf: &View<'_, '_>,
    room: usize,
    nonce: &View<'_, '_>,
    aad: &View<'_, '_>,
    data: &View<'_, '_>,
    in_place: bool,
) -> PyResult<()> {
    if buf.len() != room {
        return Err(length_in_bytes(buf.what(), room, buf.len()));
    }
    buf.check_apart(nonce)?;
    buf.check_apart(aad)?;
    if in_place {
        Ok(())
    } else {
        buf.check_apart(data)
    }
}
