//! HMAC with the hashes that keys name.

use super::verdict::equal;
use crate::material::{Hash, HmacTag};
use hmac::{Hmac, KeyInit, Mac};

macro_rules! hmac_key {
    ($($variant:ident = $hash:ty,)*) => {
        enum Ready {
            $($variant(Hmac<$hash>),)*
        }

        /// A key of HMAC, whose tags are cut to a length.
        pub(crate) struct HmacKey {
            ready: Ready,
            pub(crate) tag_len: usize,
        }

        impl HmacKey {
            pub(crate) fn new(key: &[u8], tag: HmacTag) -> Result<Self, crate::Error> {
                let key_len = |_| super::key_len(key.len());
                let ready = match tag.hash {
                    $(Hash::$variant => {
                        Ready::$variant(Hmac::new_from_slice(key).map_err(key_len)?)
                    })*
                };
                let tag_len = tag.len as usize;
                Ok(Self { ready, tag_len })
            }

            /// Writes the tag of all parts into `tag`, which is as long as it must be.
            pub(crate) fn tag(&self, parts: &[&[u8]], tag: &mut [u8]) {
                let len = tag.len();
                match &self.ready {
                    $(Ready::$variant(mac) => {
                        let whole = all(mac.clone(), parts).finalize().into_bytes();
                        tag.copy_from_slice(&whole[..len]);
                    })*
                }
            }

            /// Whether the tag is that of all parts, in time that does not depend on where it
            /// differs.
            pub(crate) fn verify(&self, parts: &[&[u8]], tag: &[u8]) -> bool {
                if tag.len() != self.tag_len {
                    return false;
                }
                match &self.ready {
                    $(Ready::$variant(mac) => {
                        let whole = all(mac.clone(), parts).finalize().into_bytes();
                        equal(&whole[..self.tag_len], tag)
                    })*
                }
            }
        }
    };
}
hmac_key! {
    Sha1 = sha1::Sha1,
    Sha224 = sha2::Sha224,
    Sha256 = sha2::Sha256,
    Sha384 = sha2::Sha384,
    Sha512 = sha2::Sha512,
}

fn all<M: Mac>(mut mac: M, parts: &[&[u8]]) -> M {
    parts.iter().for_each(|part| mac.update(part));
    mac
}
