//! AES-SIV keys (RFC 5297).

#[cfg(test)]
mod tests;

use crate::aead::keys::*;
use crate::kernel::aes::Aes;
use crate::mode::aes_siv::{self, MAX_LEN, MAX_STRINGS};
use crate::self_check::KnownAnswers;
use crate::tag::Tag;
use crate::tier::stack::Depth;
use crate::tier::{Tier, on_kept, on_tier, per_tier};

static KNOWN_ANSWERS: KnownAnswers = KnownAnswers::new();

const LENS: &[usize] = &[0, 3, 16, 23, 64, 130, 255, 530, 1063];

const fn known(tag: &'static [u8; Tag::LEN]) -> KnownAnswer {
    KnownAnswer { lens: LENS, tag, very_long: None }
}

/// With keys of 32, 48 and 64 bytes.
const KNOWN_ANSWER: [KnownAnswer; 3] = [
    known(&[
        0x85, 0x4b, 0xfd, 0x47, 0x5a, 0x96, 0x0d, 0x02, 0x84, 0x97, 0x20, 0xe2, 0x62, 0x62, 0xd3,
        0x20,
    ]),
    known(&[
        0x36, 0xa2, 0x7c, 0xb5, 0x64, 0xc2, 0x12, 0x3e, 0x92, 0xcd, 0x2f, 0xf6, 0xf2, 0x98, 0x8d,
        0xf4,
    ]),
    known(&[
        0x10, 0xe5, 0x3e, 0x0c, 0xe1, 0xf2, 0xb7, 0x05, 0xed, 0x5c, 0x90, 0xe3, 0x2f, 0xaa, 0x95,
        0x3f,
    ]),
];

/// Whether all key sizes give the known answer on `tier`.
fn known_answers_hold(tier: Tier) -> bool {
    KNOWN_ANSWERS.hold(tier, || gives_known_answers(tier))
}

fn gives_known_answers(tier: Tier) -> bool {
    aes128::gives_known_answer(tier)
        && aes192::gives_known_answer(tier)
        && aes256::gives_known_answer(tier)
}

/// Whether a list of associated data and a text, `what`, are within the limits.
fn check(strings: &[&[u8]], what: &'static str, text_len: u64) -> Result<(), Error> {
    if strings.len() > MAX_STRINGS {
        return Err(Error::TooManyStrings { limit: MAX_STRINGS, given: strings.len() });
    }
    let strings = strings.iter().map(|string| ("aad", string.len() as u64));
    let mut lens = strings.chain([(what, text_len)]);
    match lens.find(|(_, len)| *len > MAX_LEN) {
        Some((what, given)) => Err(Error::TooLong { what, limit: MAX_LEN, given }),
        None => Ok(()),
    }
}

/// How much of the dead stack goes with a call.
#[inline(always)]
fn depth_of(strings: &[&[u8]], text: &[u8]) -> Depth {
    let lens = strings.iter().map(|string| string.len());
    Depth::of_message(lens.fold(text.len(), usize::saturating_add))
}

/// Ciphers that take lists of associated data. The calls are compiled here, once.
pub trait Lists: Draws<Tag = Tag> {
    fn seal_list(
        &self,
        associated_data: &[&[u8]],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &mut [u8; Tag::LEN],
    ) -> Option<()>;

    fn open_list(
        &self,
        associated_data: &[&[u8]],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &[u8; Tag::LEN],
    ) -> Option<bool>;
}

macro_rules! aes_siv {
    (
        $name:ident, $text:literal, $row:ident, $key_len:literal, $half:literal, $module:ident,
        $known:expr, $which:literal
    ) => {
        mod $module {
            use super::*;

            type Subkeys<T> = aes_siv::Subkeys<<T as Aes<$half>>::RoundKeys>;
            per_tier! {
                /// Both halves of the key, expanded in the layout of the tier.
                pub enum TierKeys(Subkeys)
            }

            fn expand(key: &[u8; $key_len], tier: Tier) -> TierKeys {
                let (halves, _) = key.as_chunks::<$half>();
                on_tier!(tier, Depth::Nothing, |t| {
                    let keys = aes_siv::Subkeys::expand::<_, $half>(t, [&halves[0], &halves[1]]);
                    TierKeys::from((t, keys))
                })
            }

            pub(super) fn gives_known_answer(tier: Tier) -> bool {
                let keys = expand(&known_answer::key(), tier);
                $known.holds(&Key { engine: Engine::new(keys, tier) })
            }

            calls!(TierKeys);
            impl Draws for TierKeys {}

            impl Lists for TierKeys {
                fn seal_list(
                    &self,
                    associated_data: &[&[u8]],
                    from: Option<&[u8]>,
                    in_out: &mut [u8],
                    tag: &mut [u8; Tag::LEN],
                ) -> Option<()> {
                    let depth = depth_of(associated_data, in_out);
                    on_kept!(self, TierKeys, depth, |t, keys| aes_siv::seal::<_, $half>(
                        t, keys, associated_data, from, in_out, tag
                    ))
                }

                fn open_list(
                    &self,
                    associated_data: &[&[u8]],
                    from: Option<&[u8]>,
                    in_out: &mut [u8],
                    tag: &[u8; Tag::LEN],
                ) -> Option<bool> {
                    let depth = depth_of(associated_data, in_out);
                    on_kept!(self, TierKeys, depth, |t, keys| aes_siv::open::<_, $half>(
                        t, keys, associated_data, from, in_out, tag
                    ))
                }
            }

            impl Cipher for TierKeys {
                const NONCE: NonceRule = NonceRule::Absent;
                const LIMITS: Limits = Limits {
                    text: MAX_LEN,
                    aad: MAX_LEN,
                    together: u64::MAX,
                    empty: true,
                };
                const TAG_FIRST: bool = true;
                const BRIEF_DEPTH: Depth = Depth::Shallow;
                type Key = [u8; $key_len];
                type Nonce = [u8; 0];
                type Tag = Tag;
                type TagBytes = [u8; Tag::LEN];
                type Choice = ();

                #[inline(always)]
                fn new(key: &Self::Key, (): (), tier: Tier) -> Self {
                    match known_answers_hold(tier) {
                        true => expand(key, tier),
                        false => Self::Refused,
                    }
                }

                fn gives_known_answers(tier: Tier) -> bool {
                    gives_known_answers(tier)
                }

                fn algorithm(&self) -> &'static Algorithm {
                    &$row
                }

                #[inline(always)]
                fn tag_len(&self) -> usize {
                    Tag::LEN
                }

                #[inline(always)]
                fn seal(
                    &self,
                    _nonce: &[u8; 0],
                    aad: &[u8],
                    from: Option<&[u8]>,
                    in_out: &mut [u8],
                    tag: &mut [u8; Tag::LEN],
                ) -> Option<()> {
                    self.seal_list(&[aad], from, in_out, tag)
                }

                #[inline(always)]
                fn open(
                    &self,
                    _nonce: &[u8; 0],
                    aad: &[u8],
                    from: Option<&[u8]>,
                    in_out: &mut [u8],
                    tag: &[u8; Tag::LEN],
                ) -> Option<bool> {
                    self.open_list(&[aad], from, in_out, tag)
                }

                #[inline(always)]
                fn few(&self) -> Option<usize> {
                    (!matches!(self, Self::Refused)).then_some(1)
                }

                #[inline(never)]
                fn crypt_batch(
                    &self,
                    batch: &mut Batch<'_, '_, [u8; 0]>,
                ) -> Option<()> {
                    let lanes = &mut aes_siv::batch::Lanes::new();
                    on_kept!(self, TierKeys, Depth::Deep, |t, keys| aes_siv::batch::crypt_batch::<_, $half>(
                        t, keys, lanes, batch
                    ))
                }
            }
        }

        #[doc = concat!($text, " (RFC 5297): deterministic authenticated encryption, without a nonce.")]
        ///
        #[doc = $which]
        ///
        /// The tag, which RFC 5297 calls V, is *before* the ciphertext. The same key,
        /// associated data and plaintext always give the same sealed message.
        ///
        /// # What equality shows
        ///
        /// An observer of two sealed messages can tell whether their plaintexts are equal, if their
        /// associated data are, and how long they are; nothing more. So frequencies, joins and
        /// changes over time show. Take a value with few possibilities: yes or no, a country, a
        /// date of birth. Anyone who knows how often each occurs can name it, and so can anyone who
        /// can have chosen values sealed. With the names of table and column in the associated
        /// data, equality does not show across columns. With the row's key there too, it shows
        /// nowhere. Pad if lengths tell something.
        ///
        /// In the terms of RFC 9771, it is nonce-misuse resistant, because it has no nonce. It is
        /// not key-committing: a ciphertext that opens under two keys is made in microseconds, so
        /// never try keys in turn and trust the one that opens.
        /// [`XChaCha20Blake2bSiv`](crate::XChaCha20Blake2bSiv) is deterministic too, and
        /// committing. Not key-dependent-message secure.
        ///
        /// # Lists of associated data
        ///
        /// [`seal`](Key::seal) and the other calls of all keys take one string of associated data.
        /// If it is empty, it counts as one empty string, as in Tink. The calls whose names end
        /// with `_with_list` take 0 to 126 strings: their number, order and bounds count. For RFC
        /// 5297's AEAD with a nonce, the nonce is the last string: at least one byte, and any
        /// length.
        ///
        /// # Limits
        ///
        /// Plaintext and each string of associated data are at most 2^36 bytes. Seal at most 2^48
        /// blocks of 16 bytes under one key, with those of all strings. That is 4 PiB, or 2^46
        /// messages of four blocks. An attacker's advantage then stays near 2^-32. A forgery
        /// succeeds with chance 2^-128.
        ///
        /// # Example
        ///
        /// ```
        /// # #[cfg(feature = "getrandom")] {
        #[doc = concat!("use sivka::", stringify!($name), ";")]
        ///
        #[doc = concat!("let key = ", stringify!($name), "::new(&[7; ", $key_len, "]); // random bytes in earnest")]
        /// let sealed = key.seal(b"alice@example.org", b"users.email")?;
        /// assert_eq!(sealed, key.seal(b"alice@example.org", b"users.email")?);
        /// assert_eq!(key.open(&sealed, b"users.email")?, b"alice@example.org");
        /// assert!(key.open(&sealed, b"users.name").is_err());
        ///
        /// // With a nonce, as RFC 5297 section 3 has it: the last string.
        /// let nonce = [7; 16];
        /// let sealed = key.seal_with_list(b"plaintext", &[b"header", &nonce])?;
        /// assert_eq!(key.open_with_list(&sealed, &[b"header", &nonce])?, b"plaintext");
        /// # }
        /// # Ok::<(), sivka::Error>(())
        /// ```
        pub type $name = Key<$module::TierKeys>;
    };
}

/// Lists of associated data.
impl<C: Lists> Key<C>
where
    Self: Aead,
{
    /// The most strings of associated data: 126.
    pub const MAX_STRINGS: usize = MAX_STRINGS;

    /// [`seal`](Self::seal) with 0 to 126 strings of associated data.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyStrings`], [`Error::TooLong`] for inputs over 2^36 bytes,
    /// [`Error::SelfCheck`].
    #[cfg(feature = "alloc")]
    pub fn seal_with_list(
        &self,
        plaintext: &[u8],
        associated_data: &[&[u8]],
    ) -> Result<Vec<u8>, Error> {
        check(associated_data, "plaintext", plaintext.len() as u64)?;
        let mut sealed = alloc::vec![0; Tag::LEN + plaintext.len()];
        let (tag, ciphertext) = sealed.split_at_mut(Tag::LEN);
        let made = self.seal_into_with_list(plaintext, associated_data, ciphertext)?;
        tag.copy_from_slice(made.as_bytes());
        Ok(sealed)
    }

    /// [`open`](Self::open) with 0 to 126 strings of associated data.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and [`Error::TooManyStrings`].
    #[cfg(feature = "alloc")]
    pub fn open_with_list(
        &self,
        sealed: &[u8],
        associated_data: &[&[u8]],
    ) -> Result<Vec<u8>, Error> {
        let (tag, ciphertext) = sealed.split_first_chunk().ok_or(Error::Open)?;
        check(associated_data, "ciphertext", ciphertext.len() as u64)?;
        let mut plaintext = alloc::vec![0; ciphertext.len()];
        let (tag, out) = (Tag::from(*tag), &mut plaintext);
        self.open_into_with_list(ciphertext, associated_data, &tag, out)?;
        Ok(plaintext)
    }

    /// [`seal_into`](Self::seal_into) with 0 to 126 strings of associated data.
    ///
    /// # Errors
    ///
    /// As [`seal_into`](Self::seal_into), and [`Error::TooManyStrings`]; `ciphertext` is
    /// then as it was.
    pub fn seal_into_with_list(
        &self,
        plaintext: &[u8],
        associated_data: &[&[u8]],
        ciphertext: &mut [u8],
    ) -> Result<Tag, Error> {
        self.seal_list(associated_data, Some(plaintext), ciphertext)
    }

    /// [`open_into`](Self::open_into) with 0 to 126 strings of associated data.
    ///
    /// # Errors
    ///
    /// As [`open_into`](Self::open_into), and [`Error::TooManyStrings`]; `plaintext` is
    /// then as it was.
    pub fn open_into_with_list(
        &self,
        ciphertext: &[u8],
        associated_data: &[&[u8]],
        tag: &Tag,
        plaintext: &mut [u8],
    ) -> Result<(), Error> {
        self.open_list(associated_data, Some(ciphertext), plaintext, tag)
    }

    /// [`seal_in_place`](Self::seal_in_place) with 0 to 126 strings of associated data.
    ///
    /// # Errors
    ///
    /// As [`seal_in_place`](Self::seal_in_place), and [`Error::TooManyStrings`];
    /// `in_out` is then as it was.
    pub fn seal_in_place_with_list(
        &self,
        associated_data: &[&[u8]],
        in_out: &mut [u8],
    ) -> Result<Tag, Error> {
        self.seal_list(associated_data, None, in_out)
    }

    /// [`open_in_place`](Self::open_in_place) with 0 to 126 strings of associated data.
    ///
    /// # Errors
    ///
    /// As [`open_in_place`](Self::open_in_place), and [`Error::TooManyStrings`];
    /// `in_out` is then as it was.
    pub fn open_in_place_with_list(
        &self,
        associated_data: &[&[u8]],
        in_out: &mut [u8],
        tag: &Tag,
    ) -> Result<(), Error> {
        self.open_list(associated_data, None, in_out, tag)
    }

    fn seal_list(
        &self,
        associated_data: &[&[u8]],
        from: Option<&[u8]>,
        in_out: &mut [u8],
    ) -> Result<Tag, Error> {
        check_output(from, in_out)?;
        check(associated_data, "plaintext", in_out.len() as u64)?;
        let mut tag = Tag::from([0; Tag::LEN]);
        let (cipher, made) = (self.engine.cipher(), tag.as_bytes_mut());
        match cipher.seal_list(associated_data, from, in_out, made) {
            Some(()) => Ok(tag),
            None => Err(self.engine.refused_tier()),
        }
    }

    fn open_list(
        &self,
        associated_data: &[&[u8]],
        from: Option<&[u8]>,
        in_out: &mut [u8],
        tag: &Tag,
    ) -> Result<(), Error> {
        check_output(from, in_out)?;
        check(associated_data, "ciphertext", in_out.len() as u64)?;
        let (cipher, tag) = (self.engine.cipher(), tag.as_bytes());
        match cipher.open_list(associated_data, from, in_out, tag) {
            Some(true) => Ok(()),
            Some(false) => Err(Error::Open),
            None => Err(self.engine.refused_tier()),
        }
    }
}

aes_siv!(
    AesSiv256,
    "AES-SIV with a key of 256 bits",
    AES_SIV_256,
    32,
    16,
    aes128,
    KNOWN_ANSWER[0],
    "AEAD_AES_SIV_CMAC_256 of RFC 5297: two keys of AES-128 in 32 bytes. OpenSSL calls it \
     AES-128-SIV. For other people's formats; take [`AesSiv512`] for one of your own."
);
aes_siv!(
    AesSiv384,
    "AES-SIV with a key of 384 bits",
    AES_SIV_384,
    48,
    24,
    aes192,
    KNOWN_ANSWER[1],
    "AEAD_AES_SIV_CMAC_384 of RFC 5297: two keys of AES-192 in 48 bytes. OpenSSL calls it \
     AES-192-SIV. For other people's formats; take [`AesSiv512`] for one of your own."
);
aes_siv!(
    AesSiv512,
    "AES-SIV with a key of 512 bits",
    AES_SIV_512,
    64,
    32,
    aes256,
    KNOWN_ANSWER[2],
    "AEAD_AES_SIV_CMAC_512 of RFC 5297: two keys of AES-256 in 64 bytes. Tink calls it \
     AES256_SIV, and OpenSSL AES-256-SIV, by the length of one half. The one to take: where one \
     message is sealed under many keys, 128 bits of MAC key are too few."
);

rows! {
    AES_SIV_256: "AES-SIV-256", aes128::TierKeys, Tag::LEN, ();
    AES_SIV_384: "AES-SIV-384", aes192::TierKeys, Tag::LEN, ();
    AES_SIV_512: "AES-SIV-512", aes256::TierKeys, Tag::LEN, ();
}
