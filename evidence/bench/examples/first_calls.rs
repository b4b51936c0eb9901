//! What programs call first: a message under a random nonce, and a key for one message.
//!
//! ```console
//! $ cargo run --release -p sivka-bench --features aws-lc --example first_calls
//! ```
//!
//! One thread, messages of 16 bytes without AAD. Contenders take turns of a thousand calls; a
//! figure is the least of their turns in nanoseconds a call, with the median after it. The
//! first table seals to a vector, with the nonce given and drawn. The second makes a key, seals one
//! message in place and drops the key; the peers' contexts are on the stack, as ours.
#![allow(unsafe_code, reason = "AWS-LC is called through its C interface")]

use sivka::{Aes128GcmSiv, Aes256GcmSiv, AesSiv512, KuznyechikMgm, TagLen, Tier, XChaCha20Blake2b};
use std::hint::black_box;
use std::time::Instant;

const CALLS: usize = 1000;
const TURNS: usize = 2000;
const TEXT: [u8; 16] = *b"sixteen bytes ok";

/// One contender: what it is called, and a call of it.
struct Contender {
    name: String,
    call: Box<dyn FnMut()>,
}

fn contender(name: impl Into<String>, call: impl FnMut() + 'static) -> Contender {
    Contender {
        name: name.into(),
        call: Box::new(call),
    }
}

/// Lets all take turns, and prints the least and the median of each.
fn compare(title: &str, mut contenders: Vec<Contender>) {
    let mut turns = vec![Vec::with_capacity(TURNS); contenders.len()];
    for _ in 0..TURNS {
        for (contender, turns) in contenders.iter_mut().zip(&mut turns) {
            let start = Instant::now();
            (0..CALLS).for_each(|_| (contender.call)());
            turns.push(start.elapsed().as_secs_f64() * 1e9 / CALLS as f64);
        }
    }
    println!("{title}");
    for (contender, mut turns) in contenders.into_iter().zip(turns) {
        turns.sort_by(f64::total_cmp);
        let (least, median) = (turns[0], turns[TURNS / 2]);
        println!("  {:<44} {least:>8.1} {median:>8.1}", contender.name);
    }
}

macro_rules! with_both_nonces {
    ($contenders:ident, $($key:ident),*) => {$(
        let key = $key::new(&[7; $key::KEY_LEN]);
        let mut counter = 0_u64;
        $contenders.push(contender(concat!(stringify!($key), ", nonce given"), move || {
            counter += 1;
            let mut nonce = [0; $key::NONCE_LEN];
            nonce[$key::NONCE_LEN - 8..].copy_from_slice(&counter.to_be_bytes());
            black_box(key.seal_with_nonce(&nonce, black_box(&TEXT), b"")).expect("sealed");
        }));
        let key = $key::new(&[7; $key::KEY_LEN]);
        $contenders.push(contender(concat!(stringify!($key), ", nonce drawn"), move || {
            black_box(key.seal(black_box(&TEXT), b"")).expect("sealed");
        }));
    )*};
}

macro_rules! lives {
    ($contenders:ident, $tier:ident, $($key:ident ($len:literal $(, $tag_len:expr)?) [$($nonce:expr)?]),*) => {$(
        let name = format!("{}, {}", stringify!($key), $tier);
        $contenders.push(contender(name, move || {
            let key = $key::with_tier(black_box(&[7; $len]) $(, $tag_len)?, $tier);
            let mut text = TEXT;
            black_box(key.seal_in_place($($nonce,)? b"", &mut text)).expect("sealed");
            black_box(text);
        }));
    )*};
}

fn main() {
    let mut contenders = Vec::new();
    with_both_nonces!(
        contenders,
        Aes128GcmSiv,
        Aes256GcmSiv,
        XChaCha20Blake2b,
        KuznyechikMgm
    );
    #[cfg(feature = "aws-lc")]
    contenders.push(aws_lc::randomized_nonce_key());
    compare("16 B to a vector, ns (least, median)", contenders);

    let mut contenders = Vec::new();
    for tier in Tier::available() {
        lives!(
            contenders, tier,
            Aes128GcmSiv (16) [&[1; 12]],
            Aes256GcmSiv (32) [&[1; 12]],
            AesSiv512 (64) [],
            XChaCha20Blake2b (32, TagLen::Bytes32) [&[1; 24]],
            KuznyechikMgm (32) [&[1; 16]]
        );
    }
    #[cfg(feature = "aws-lc")]
    contenders.extend(aws_lc::lives());
    compare("a key, one message of 16 B, ns (least, median)", contenders);
}

#[cfg(feature = "aws-lc")]
mod aws_lc {
    use super::{Contender, TEXT, contender};
    use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, RandomizedNonceKey};
    use aws_lc_sys::{
        EVP_AEAD, EVP_AEAD_CTX, EVP_AEAD_CTX_cleanup, EVP_AEAD_CTX_init, EVP_AEAD_CTX_seal,
        EVP_aead_aes_256_gcm, EVP_aead_aes_256_gcm_siv,
    };
    use std::hint::black_box;
    use std::mem::MaybeUninit;
    use std::ptr;

    pub(crate) fn randomized_nonce_key() -> Contender {
        let key = RandomizedNonceKey::new(&AES_256_GCM_SIV, &[7; 32]).expect("a key");
        contender("aws-lc-rs RandomizedNonceKey, AES-256-GCM-SIV", move || {
            let mut text = Vec::with_capacity(TEXT.len() + 16);
            text.extend_from_slice(black_box(&TEXT));
            let nonce = key.seal_in_place_append_tag(Aad::empty(), &mut text);
            black_box((nonce.expect("sealed"), text));
        })
    }

    pub(crate) fn lives() -> [Contender; 2] {
        // SAFETY: these functions give a pointer to static data.
        let (siv, gcm) = unsafe { (EVP_aead_aes_256_gcm_siv(), EVP_aead_aes_256_gcm()) };
        [
            contender("AWS-LC AES-256-GCM-SIV", move || life(siv)),
            contender("AWS-LC AES-256-GCM", move || life(gcm)),
        ]
    }

    fn life(aead: *const EVP_AEAD) {
        let mut ctx = MaybeUninit::<EVP_AEAD_CTX>::uninit();
        let (key, nonce) = (black_box([7_u8; 32]), [1_u8; 12]);
        let (mut sealed, mut written) = ([0_u8; 32], 0);
        // SAFETY: `init` makes the context, which `cleanup` ends; all parts are valid for the
        // lengths beside them, and the output has room for the tag.
        let done = unsafe {
            let (ctx, default_tag_len) = (ctx.as_mut_ptr(), 0);
            let made = EVP_AEAD_CTX_init(
                ctx,
                aead,
                key.as_ptr(),
                key.len(),
                default_tag_len,
                ptr::null_mut(),
            );
            let sealed = EVP_AEAD_CTX_seal(
                ctx,
                sealed.as_mut_ptr(),
                &raw mut written,
                sealed.len(),
                nonce.as_ptr(),
                nonce.len(),
                TEXT.as_ptr(),
                TEXT.len(),
                ptr::null(),
                0,
            );
            EVP_AEAD_CTX_cleanup(ctx);
            made == 1 && sealed == 1
        };
        assert!(done && written == 32, "AWS-LC fails");
        black_box(sealed);
    }
}
