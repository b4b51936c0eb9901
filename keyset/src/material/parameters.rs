//! What keys of AES-CTR-HMAC and of streams have beside their bytes.

use super::{
    Fields, KeyMaterial, ParameterFields, Parameters, Refused, check_version, key_message,
};
use crate::error::Rule;
use crate::key_type::KeyType;
use crate::wire::{FIELD_ROOM, Field, WireMessage, Writer};
use zeroize::Zeroizing;

/// `HashType`, whose numbers are not in the order of the lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hash {
    Sha1 = 1,
    Sha384 = 2,
    Sha256 = 3,
    Sha512 = 4,
    Sha224 = 5,
}

impl Hash {
    fn from_number(number: u32) -> Result<Self, Rule> {
        const ALL: [Hash; 5] = [
            Hash::Sha1,
            Hash::Sha384,
            Hash::Sha256,
            Hash::Sha512,
            Hash::Sha224,
        ];
        let found = ALL.into_iter().find(|hash| *hash as u32 == number);
        found.ok_or(Rule::Hash(number))
    }

    /// The three that streams may have.
    fn check_of_stream(self) -> Result<(), Rule> {
        match self {
            Self::Sha1 | Self::Sha256 | Self::Sha512 => Ok(()),
            Self::Sha224 | Self::Sha384 => Err(Rule::Hash(self as u32)),
        }
    }

    fn len(self) -> u32 {
        match self {
            Self::Sha1 => 20,
            Self::Sha224 => 28,
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }
}

/// `HmacParams`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HmacTag {
    pub(crate) hash: Hash,
    /// The bytes of the tag, at least 10.
    pub(crate) len: u32,
}

impl HmacTag {
    pub(crate) fn from_numbers([hash, len]: [u32; 2]) -> Result<Self, Rule> {
        let hash = Hash::from_number(hash)?;
        match (10..=hash.len()).contains(&len) {
            true => Ok(Self { hash, len }),
            false => Err(Rule::len_of("have a tag", len)),
        }
    }

    pub(crate) fn to_message(self) -> Zeroizing<Vec<u8>> {
        numbers(&[self.hash as u32, self.len]).finish()
    }
}

/// Numbers in the fields from 1 on, and room for one message more.
pub(super) fn numbers(values: &[u32]) -> Writer {
    let mut writer = Writer::new((values.len() + 4) * FIELD_ROOM);
    for (field, value) in (1..).zip(values) {
        writer.number(field, *value);
    }
    writer
}

/// What a key of AES-CTR-HMAC has beside the bytes of both keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CtrHmac {
    /// How many bytes are the key of AES; the others are that of HMAC.
    pub(crate) aes_key_len: usize,
    pub(crate) iv_len: u32,
    pub(crate) tag: HmacTag,
}

impl CtrHmac {
    /// As Tink's templates have it, with 32 bytes of the key for HMAC-SHA256.
    pub(crate) const fn usual(aes_key_len: usize) -> Self {
        Self {
            aes_key_len,
            iv_len: 16,
            tag: HmacTag {
                hash: Hash::Sha256,
                len: aes_key_len as u32,
            },
        }
    }

    pub(super) fn check(self, key_len: usize) -> Result<(), Rule> {
        let hmac_key_len = key_len - self.aes_key_len;
        if ![16, 32].contains(&self.aes_key_len) {
            return Err(Rule::KeyLen {
                given: self.aes_key_len,
            });
        }
        if hmac_key_len < 16 {
            return Err(Rule::KeyLen {
                given: hmac_key_len,
            });
        }
        match (12..=16).contains(&self.iv_len) {
            true => Ok(()),
            false => Err(Rule::len_of("have an IV", self.iv_len)),
        }
    }

    /// `AesCtrHmacAeadKey`: a message for each of both keys.
    pub(super) fn parse(mut message: WireMessage<'_>) -> Result<KeyMaterial, Refused> {
        let (mut version, mut aes, mut hmac) = (0, Fields::default(), Fields::default());
        while let Some(field) = message.next()? {
            match field {
                (1, Field::Varint(number)) => version = number as u32,
                (2, Field::Bytes(key)) => aes.merge(key, 3, true)?,
                (3, Field::Bytes(key)) => hmac.merge(key, 3, true)?,
                _ => {}
            }
        }
        for version in [version, aes.version, hmac.version] {
            check_version(version)?;
        }
        let [hash, tag_len, _] = hmac.parameters.numbers;
        let parameters = Self {
            aes_key_len: aes.key.len(),
            iv_len: aes.parameters.numbers[0],
            tag: HmacTag::from_numbers([hash, tag_len])?,
        };
        let mut key = Zeroizing::new(Vec::with_capacity(aes.key.len() + hmac.key.len()));
        key.extend_from_slice(aes.key);
        key.extend_from_slice(hmac.key);
        let parameters = Parameters::CtrHmac(parameters);
        Ok(KeyMaterial::new(KeyType::AesCtrHmac, &key, parameters)?)
    }

    pub(super) fn to_value(self, key: &[u8]) -> Zeroizing<Vec<u8>> {
        let (aes_key, hmac_key) = key.split_at(self.aes_key_len);
        let aes = key_message(&numbers(&[self.iv_len]).finish(), 3, aes_key);
        let hmac = key_message(&self.tag.to_message(), 3, hmac_key);
        let mut writer = Writer::new(aes.len() + hmac.len() + 2 * FIELD_ROOM);
        writer.message(2, &aes);
        writer.message(3, &hmac);
        writer.finish()
    }
}

/// What a key of a streaming AEAD has beside its bytes, from which HKDF makes the key of each
/// stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Streaming {
    /// The bytes of every segment as it is sealed, the last one's excepted; the header counts
    /// for the first.
    pub(crate) segment_len: u32,
    /// The bytes of the AES key that HKDF makes, 16 or 32.
    pub(crate) derived_len: u32,
    pub(crate) hkdf: Hash,
    /// The tags of AES-CTR-HMAC's segments; `None` for AES-GCM, which has tags of 16 bytes.
    pub(crate) hmac: Option<HmacTag>,
}

impl Streaming {
    /// As Tink's templates have it.
    pub(crate) const fn usual(derived_len: u32, segment_len: u32, has_hmac: bool) -> Self {
        let hash = Hash::Sha256;
        Self {
            segment_len,
            derived_len,
            hkdf: hash,
            hmac: match has_hmac {
                true => Some(HmacTag { hash, len: 32 }),
                false => None,
            },
        }
    }

    pub(super) fn from_fields(fields: &ParameterFields, has_hmac: bool) -> Result<Self, Rule> {
        let [segment_len, derived_len, hkdf] = fields.numbers;
        let hmac = has_hmac.then(|| HmacTag::from_numbers(fields.hmac));
        Ok(Self {
            segment_len,
            derived_len,
            hkdf: Hash::from_number(hkdf)?,
            hmac: hmac.transpose()?,
        })
    }

    /// The bytes of a segment's tag.
    pub(crate) fn tag_len(self) -> u32 {
        self.hmac.map_or(16, |tag| tag.len)
    }

    /// The bytes before the first segment: their number, the salt, and the nonces' prefix.
    pub(crate) fn header_len(self) -> u32 {
        1 + self.derived_len + 7
    }

    pub(super) fn check(self, key_len: usize) -> Result<(), Rule> {
        self.hkdf.check_of_stream()?;
        self.hmac.map_or(Ok(()), |tag| tag.hash.check_of_stream())?;
        if ![16, 32].contains(&self.derived_len) {
            return Err(Rule::len_of("derive keys", self.derived_len));
        }
        if key_len < self.derived_len as usize {
            return Err(Rule::KeyLen { given: key_len });
        }
        // One byte of the first segment is plaintext, so that no segment is without any.
        let least = self.header_len() + self.tag_len() + 1;
        match (least..1 << 31).contains(&self.segment_len) {
            true => Ok(()),
            false => Err(Rule::len_of("have segments", self.segment_len)),
        }
    }

    pub(super) fn to_message(self) -> Zeroizing<Vec<u8>> {
        let mut writer = numbers(&[self.segment_len, self.derived_len, self.hkdf as u32]);
        if let Some(tag) = self.hmac {
            writer.message(4, &tag.to_message());
        }
        writer.finish()
    }
}
