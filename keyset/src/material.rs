//! Keys with their parameters, and the messages that they are written as.

use crate::error::{Rule, Unsupported};
use crate::key_type::KeyType;
use crate::layout::{Slot, Values};
use crate::wire::{Malformed, WireMessage};
use std::fmt;
use zeroize::Zeroizing;

/// Parameters of a key beside its bytes, in bytes and numbers of hashes; 0 if its type has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parameters {
    /// An IV, or XAES-256-GCM's salt.
    pub(crate) iv_len: u32,
    /// The key of AES in one of AES-CTR-HMAC, or as HKDF makes it for a stream.
    pub(crate) aes_key_len: u32,
    /// That of HMAC, and its tag.
    pub(crate) hash: u32,
    pub(crate) tag_len: u32,
    /// Every segment of a stream as it is sealed, the last one's excepted; the header counts
    /// for the first.
    pub(crate) segment_len: u32,
    pub(crate) hkdf: u32,
}

/// `HashType`, whose numbers are not in the order of the lengths.
pub(crate) mod hash {
    pub(crate) const SHA1: u32 = 1;
    pub(crate) const SHA384: u32 = 2;
    pub(crate) const SHA256: u32 = 3;
    pub(crate) const SHA512: u32 = 4;
    pub(crate) const SHA224: u32 = 5;

    /// Streams may have three.
    pub(super) fn check_of_stream(hash: u32) -> Result<(), crate::Rule> {
        match hash {
            SHA1 | SHA256 | SHA512 => Ok(()),
            other => Err(crate::Rule::hash(other)),
        }
    }
}

fn check_key_len(fits: bool, given: usize) -> Result<(), Rule> {
    fits.then_some(()).ok_or_else(|| Rule::key_len(given))
}

fn check_len(fits: bool, what: &str, given: u32) -> Result<(), Rule> {
    let rule = || Rule::of_type(format_args!("{what} of {given} bytes"));
    fits.then_some(()).ok_or_else(rule)
}

impl Parameters {
    pub(crate) const NONE: Self =
        Self { iv_len: 0, aes_key_len: 0, hash: 0, tag_len: 0, segment_len: 0, hkdf: 0 };

    /// An IV or salt of so many bytes.
    pub(crate) const fn iv(iv_len: u32) -> Self {
        Self { iv_len, ..Self::NONE }
    }

    /// As Tink's templates have it, with 32 bytes of the key for HMAC-SHA256.
    pub(crate) const fn ctr_hmac(aes_key_len: u32) -> Self {
        Self { aes_key_len, hash: hash::SHA256, tag_len: aes_key_len, ..Self::iv(16) }
    }

    /// As Tink's templates have it: AES-GCM, if there is no HMAC.
    pub(crate) const fn stream(aes_key_len: u32, segment_len: u32, has_hmac: bool) -> Self {
        let (hash, tag_len) = match has_hmac {
            true => (hash::SHA256, 32),
            false => (0, GCM_TAG_LEN),
        };
        Self { aes_key_len, hash, tag_len, segment_len, hkdf: hash::SHA256, ..Self::NONE }
    }

    /// The bytes before a stream's first segment: their number, the salt, and the nonces' prefix.
    pub(crate) fn header_len(self) -> usize {
        1 + self.aes_key_len as usize + 7
    }

    /// Checks the rules for keys of the type.
    fn check(self, key_type: KeyType, key_len: usize) -> Result<(), Rule> {
        let aes_key_len = self.aes_key_len as usize;
        let is_aes = [16, 32].contains(&aes_key_len);
        match key_type {
            KeyType::AesCtrHmac => {
                self.check_hmac()?;
                check_key_len(is_aes, aes_key_len)?;
                let hmac_key_len = key_len - aes_key_len;
                check_key_len(hmac_key_len >= 16, hmac_key_len)?;
                check_len((12..=16).contains(&self.iv_len), "have an IV", self.iv_len)
            }
            KeyType::AesGcmHkdfStreaming | KeyType::AesCtrHmacStreaming => {
                hash::check_of_stream(self.hkdf)?;
                if key_type == KeyType::AesCtrHmacStreaming {
                    hash::check_of_stream(self.hash)?;
                    self.check_hmac()?;
                }
                check_len(is_aes, "derive keys", self.aes_key_len)?;
                check_key_len(key_len >= aes_key_len, key_len)?;
                // One byte of the first segment is plaintext, so that no segment is without any.
                let least = self.header_len() as u32 + self.tag_len + 1;
                let fits = (least..1 << 31).contains(&self.segment_len);
                check_len(fits, "have segments", self.segment_len)
            }
            _ => {
                check_key_len(key_type.key_lens().contains(&key_len), key_len)?;
                let len = self.iv_len;
                match key_type {
                    KeyType::XAesGcm => check_len((8..=12).contains(&len), "have a salt", len),
                    KeyType::AesEax => check_len([12, 16].contains(&len), "have an IV", len),
                    _ => Ok(()),
                }
            }
        }
    }

    fn check_hmac(self) -> Result<(), Rule> {
        let most = match self.hash {
            hash::SHA1 => 20,
            hash::SHA224 => 28,
            hash::SHA256 => 32,
            hash::SHA384 => 48,
            hash::SHA512 => 64,
            unknown => return Err(Rule::hash(unknown)),
        };
        let fits = (10..=most).contains(&self.tag_len);
        check_len(fits, "have a tag", self.tag_len)
    }

    /// The parameters in a message of a key or of its template, whose keys have these lengths:
    /// with them, how long both are together.
    pub(crate) fn read(key_type: KeyType, values: &Values<'_>) -> Result<(usize, Self), Refused> {
        for slot in [Slot::Version, Slot::AesVersion, Slot::HmacVersion] {
            match values.number(slot) {
                0 => {}
                version => return Err(Refused::Unsupported(Unsupported::Version(version))),
            }
        }
        let key_len = values.number(Slot::KeyLen);
        let parameters = Self {
            iv_len: values.number(Slot::IvLen),
            aes_key_len: match key_type {
                KeyType::AesCtrHmac => key_len,
                _ => values.number(Slot::DerivedLen),
            },
            hash: values.number(Slot::Hash),
            tag_len: match key_type {
                KeyType::AesGcmHkdfStreaming => GCM_TAG_LEN,
                _ => values.number(Slot::TagLen),
            },
            segment_len: values.number(Slot::SegmentLen),
            hkdf: values.number(Slot::Hkdf),
        };
        let key_len = key_len as usize + values.number(Slot::HmacKeyLen) as usize;
        parameters.check(key_type, key_len)?;
        Ok((key_len, parameters))
    }

    /// The reverse of [`read`](Self::read).
    pub(crate) fn values(self, key_type: KeyType, key_len: usize) -> Values<'static> {
        let first = self.first_key_len(key_type, key_len);
        let mut values = Values::default();
        for (slot, number) in [
            (Slot::KeyLen, first as u32),
            (Slot::HmacKeyLen, (key_len - first) as u32),
            (Slot::IvLen, self.iv_len),
            (Slot::DerivedLen, self.aes_key_len),
            (Slot::Hash, self.hash),
            (Slot::TagLen, self.tag_len),
            (Slot::SegmentLen, self.segment_len),
            (Slot::Hkdf, self.hkdf),
        ] {
            values.set(slot, number);
        }
        values
    }

    /// The bytes of the key, but for that of HMAC.
    fn first_key_len(self, key_type: KeyType, key_len: usize) -> usize {
        match key_type {
            KeyType::AesCtrHmac => self.aes_key_len as usize,
            _ => key_len,
        }
    }
}

const GCM_TAG_LEN: u32 = 16;

/// A key with its parameters: the value of `KeyData`. Wiped when dropped.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct KeyMaterial {
    pub(crate) key_type: KeyType,
    /// Of AES-CTR-HMAC the key of AES, then that of HMAC.
    pub(crate) key: Zeroizing<Vec<u8>>,
    pub(crate) parameters: Parameters,
}

impl fmt::Debug for KeyMaterial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key_type.fmt(f)
    }
}

/// Why the value of `KeyData` is refused.
#[derive(Debug)]
pub(crate) enum Refused {
    Rule(Rule),
    Unsupported(Unsupported),
}

impl From<Malformed> for Refused {
    fn from(malformed: Malformed) -> Self {
        Self::Rule(Rule::key_data(malformed.problem))
    }
}

impl From<Rule> for Refused {
    fn from(rule: Rule) -> Self {
        Self::Rule(rule)
    }
}

impl KeyMaterial {
    pub(crate) fn new(key_type: KeyType, key: &[u8], parameters: Parameters) -> Result<Self, Rule> {
        parameters.check(key_type, key.len())?;
        Ok(Self { key_type, key: Zeroizing::new(key.to_vec()), parameters })
    }

    /// Reads the message of a key.
    pub(crate) fn parse(key_type: KeyType, value: &[u8]) -> Result<Self, Refused> {
        let mut values = Values::read(key_type.message(), WireMessage::new(value))?;
        let keys = [Slot::Key, Slot::HmacKey].map(|slot| values.bytes(slot));
        values.set(Slot::KeyLen, keys[0].len() as u32);
        values.set(Slot::HmacKeyLen, keys[1].len() as u32);
        let (_, parameters) = Parameters::read(key_type, &values)?;
        Ok(Self { key_type, key: Zeroizing::new(keys.concat()), parameters })
    }

    /// Writes the message of the key.
    pub(crate) fn to_value(&self) -> Zeroizing<Vec<u8>> {
        let mut values = self.parameters.values(self.key_type, self.key.len());
        let first_len = self.parameters.first_key_len(self.key_type, self.key.len());
        let (key, hmac_key) = self.key.split_at(first_len);
        values.set_bytes(Slot::Key, key);
        values.set_bytes(Slot::HmacKey, hmac_key);
        values.write(self.key_type.message())
    }
}
