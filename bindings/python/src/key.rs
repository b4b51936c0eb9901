//! Keys of AEADs: what their classes share.

use crate::buffer::{Any, Bytes, View};
use crate::error::{length_in_bytes, of_file, of_key_file, of_message};
use crate::handle::Shared;
use crate::names::find;
use crate::new_bytes::NewBytes;
use pyo3::prelude::*;
use pyo3::types::PyString;
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

/// The arguments of a call on one message. Without a nonce of its own it draws one, or the
/// algorithm has none.
struct Message<'a, 'py> {
    nonce: Option<View<'a, 'py>>,
    data: View<'a, 'py>,
    aad: View<'a, 'py>,
}

impl<'a, 'py> Message<'a, 'py> {
    #[inline(always)]
    fn new(
        nonce: Option<&'a Any<'py>>,
        data: &'a Any<'py>,
        aad: Option<&'a Any<'py>>,
    ) -> PyResult<Self> {
        Ok(Self {
            nonce: nonce.map(|nonce| View::of(nonce, "nonce")).transpose()?,
            data: View::of(data, "data")?,
            aad: View::of_optional(aad, "associated_data")?,
        })
    }

    #[inline]
    fn parts(&self) -> (Option<&[u8]>, &[u8], &[u8]) {
        let nonce = self.nonce.as_ref().map(View::bytes);
        (nonce, self.data.bytes(), self.aad.bytes())
    }

    /// A buffer to write to is as long as what is written, and changes no other argument.
    fn check_buf(&self, buf: &View<'_, '_>, room: usize, in_place: bool) -> PyResult<()> {
        if buf.len() != room {
            return Err(length_in_bytes(buf.what(), room, buf.len()));
        }
        let data = (!in_place).then_some(&self.data);
        let mut others = self.nonce.iter().chain([&self.aad]).chain(data);
        others.try_for_each(|other| buf.check_apart(other))
    }
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
    pub(crate) fn new(name: &str, key: &Any<'_>, of_columns: bool) -> PyResult<Self> {
        let py = key.py();
        let algorithm = find(name)?;
        let aead = if of_columns {
            let file = match key.cast::<PyString>() {
                Ok(text) => KeyFile::parse(text.to_str()?),
                Err(_) => KeyFile::parse(View::of(key, "key_file")?.bytes()),
            };
            let made = file.map_err(|error| of_key_file(py, &error))?.column_key(algorithm);
            made.map_err(|error| of_file(py, error, None))?
        } else {
            let made = algorithm.new_key(View::of(key, "key")?.bytes());
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
    fn text_at(&self) -> usize {
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
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        len: usize,
        call: impl FnOnce(&dyn Aead) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let done = self.held.run(py, len, |aead| call(&**aead))?;
        done.map_err(|error| of_message(py, error))
    }

    /// Ciphertext and tag in new bytes, after a nonce that is drawn, if there is none. An algorithm
    /// without nonces has an empty one.
    #[inline]
    pub(crate) fn seal<'py>(
        &self,
        nonce: Option<&Any<'py>>,
        data: &Any<'py>,
        aad: Option<&Any<'py>>,
    ) -> Bytes<'py> {
        let (py, message) = (data.py(), Message::new(nonce, data, aad)?);
        let (given, data, aad) = message.parts();
        let front_len = given.map_or(self.nonce_len, |_| 0);
        let len = data.len().checked_add(front_len + self.tag_len);
        let mut sealed = NewBytes::new(py, len)?;
        let (front, joined) = sealed.bytes_mut().split_at_mut(front_len);
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
        nonce: Option<&Any<'py>>,
        data: &Any<'py>,
        aad: Option<&Any<'py>>,
    ) -> Bytes<'py> {
        let (py, message) = (data.py(), Message::new(nonce, data, aad)?);
        let (nonce, data, aad) = message.parts();
        let front_len = nonce.map_or(self.nonce_len, |_| 0);
        // What is too short for a nonce is too short for a tag after it.
        let (front, joined) = data.split_at_checked(front_len).unwrap_or((&[], &[]));
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
    pub(crate) fn seal_into<'py>(
        &self,
        nonce: Option<&Any<'py>>,
        data: &Any<'py>,
        aad: Option<&Any<'py>>,
        buf: &Any<'py>,
    ) -> PyResult<usize> {
        let (py, message) = (data.py(), Message::new(nonce, data, aad)?);
        let mut buf = View::writable(buf, "buf")?;
        let room = message.data.len().saturating_add(self.tag_len);
        let in_place = message.data.at().addr() == buf.at().addr() + self.text_at();
        let fits = message.check_buf(&buf, room, in_place);
        fits.or_else(|error| self.held.get().and(Err(error)))?;
        let data = (!in_place).then(|| message.data.bytes());
        let nonce = message.nonce.as_ref().map_or(&[][..], View::bytes);
        let aad = message.aad.bytes();
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
    pub(crate) fn open_into<'py>(
        &self,
        nonce: Option<&Any<'py>>,
        data: &Any<'py>,
        aad: Option<&Any<'py>>,
        buf: &Any<'py>,
    ) -> PyResult<usize> {
        let (py, message) = (data.py(), Message::new(nonce, data, aad)?);
        let mut buf = View::writable(buf, "buf")?;
        let nonce = message.nonce.as_ref().map_or(&[][..], View::bytes);
        // What is too short to open is forged, whatever `buf` is.
        let room = message.data.len().checked_sub(self.tag_len);
        let room = self.check_nonce(nonce).and(room.ok_or(Error::Open));
        let in_place = buf.at().addr() == message.data.at().addr() + self.text_at();
        let fits = room.map_err(|error| of_message(py, error)).and_then(|room| {
            message.check_buf(&buf, room, in_place)?;
            Ok(room)
        });
        let room = fits.or_else(|error| self.held.get().and(Err(error)))?;
        let mut tag_room = [0; 64];
        let mut text = None;
        if let Some((apart, tag)) = self.split(message.data.bytes()) {
            tag_room[..self.tag_len].copy_from_slice(tag);
            text = (!in_place).then_some(apart);
        }
        let (tag, aad) = (&tag_room[..self.tag_len], message.aad.bytes());
        // SAFETY: as in `seal_into`; of data in its place the tag was copied.
        let plaintext = unsafe { buf.bytes_mut() };
        self.run(py, room.max(aad.len()), |aead| match text {
            Some(text) => aead.open_into(nonce, text, aad, tag, plaintext),
            None => aead.open_in_place(nonce, aad, plaintext, tag),
        })?;
        Ok(room)
    }
}
