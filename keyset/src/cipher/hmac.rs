//! HMAC with the hashes that keys name.

use super::verdict::equal;
use crate::material::hash;
use hmac::{Hmac, KeyInit, Mac};

macro_rules! hmac_key {
    ($($variant:ident = $hash:ty, $number:path;)*) => {
        enum Ready {
            $($variant(Hmac<$hash>),)*
        }

        impl Ready {
            fn new(key: &[u8], hash: u32) -> Option<Self> {
                match hash {
                    $($number => Hmac::new_from_slice(key).ok().map(Self::$variant),)*
                    _ => None,
                }
            }

            /// Hands on the whole tag of all parts.
            fn tag<T>(&self, parts: &[&[u8]], then: impl FnOnce(&[u8]) -> T) -> T {
                match self {
                    $(Self::$variant(mac) => then(&all(mac.clone(), parts).finalize().into_bytes()),)*
                }
            }
        }
    };
}
hmac_key! {
    Sha1 = sha1::Sha1, hash::SHA1;
    Sha224 = sha2::Sha224, hash::SHA224;
    Sha256 = sha2::Sha256, hash::SHA256;
    Sha384 = sha2::Sha384, hash::SHA384;
    Sha512 = sha2::Sha512, hash::SHA512;
}

fn all<M: Mac>(mut mac: M, parts: &[&[u8]]) -> M {
    parts.iter().for_each(|part| mac.update(part));
    mac
}

/// A key of HMAC, whose tags are cut to a length.
pub(super) struct HmacKey {
    ready: Ready,
    pub(super) tag_len: usize,
}

impl HmacKey {
    pub(super) fn new(key: &[u8], hash: u32, tag_len: u32) -> Result<Self, crate::Error> {
        let ready = Ready::new(key, hash).ok_or_else(|| super::key_len(key.len()))?;
        let tag_len = tag_len as usize;
        Ok(Self { ready, tag_len })
    }

    /// Writes the tag of all parts into `tag`, which is as long as it must be.
    pub(super) fn tag(&self, parts: &[&[u8]], tag: &mut [u8]) {
        let len = tag.len();
        self.ready
            .tag(parts, |whole| tag.copy_from_slice(&whole[..len]));
    }

    /// Whether the tag is that of all parts, in time that does not depend on where it differs.
    pub(super) fn verify(&self, parts: &[&[u8]], tag: &[u8]) -> bool {
        let equals = |whole: &[u8]| equal(&whole[..self.tag_len], tag);
        tag.len() == self.tag_len && self.ready.tag(parts, equals)
    }
}
