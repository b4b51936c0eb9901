//! Kuznyechik in CTR and CTR-ACPKM.

use crate::failure::guard;
use crate::handle::{free, handle_mut, making};
use crate::region::Region;
use crate::status::Status;
use sivka::{Error, KuznyechikCtr as Ctr, KuznyechikCtrAcpkm as CtrAcpkm};

/// Where a keystream of Kuznyechik is, for one message: CTR (GOST R 34.13-2015 section 5.2) of
/// sivka_kuznyechik_ctr_new(), or CTR-ACPKM (RFC 8645 section 6.2.2) of
/// sivka_kuznyechik_ctr_acpkm_new(). Nothing is authenticated, and two messages under one key and
/// IV reveal the difference of their plaintexts: use SIVKA_KUZNYECHIK_MGM unless a protocol asks
/// for this mode.
pub struct KuznyechikCtr(Mode);

enum Mode {
    Ctr(Ctr),
    CtrAcpkm(CtrAcpkm),
}

/// The length of an IV of CTR and CTR-ACPKM in bytes.
pub const SIVKA_KUZNYECHIK_IV_LEN: usize = 8;
const _: () = assert!(SIVKA_KUZNYECHIK_IV_LEN == Ctr::IV_LEN);
const _: () = assert!(SIVKA_KUZNYECHIK_IV_LEN == CtrAcpkm::IV_LEN);

/// Starts the keystream of a key of 32 bytes and an IV of SIVKA_KUZNYECHIK_IV_LEN. It has 2^64
/// blocks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_ctr_new(
    key: *const u8,
    key_len: usize,
    iv: *const u8,
    iv_len: usize,
    made: *mut *mut KuznyechikCtr,
) -> Status {
    let start = |key: &_, iv: &_| Ok(Mode::Ctr(Ctr::new(key, iv)));
    // SAFETY: the arguments are as the header asks.
    unsafe { new((key, key_len), (iv, iv_len), made, start) }
}

/// sivka_kuznyechik_ctr_new() for CTR-ACPKM: after every `section_len` bytes of keystream, a
/// positive multiple of SIVKA_KUZNYECHIK_BLOCK_LEN, the key is replaced by one derived from it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_ctr_acpkm_new(
    key: *const u8,
    key_len: usize,
    iv: *const u8,
    iv_len: usize,
    section_len: u64,
    made: *mut *mut KuznyechikCtr,
) -> Status {
    let start = |key: &_, iv: &_| CtrAcpkm::new(key, iv, section_len).map(Mode::CtrAcpkm);
    // SAFETY: the arguments are as the header asks.
    unsafe { new((key, key_len), (iv, iv_len), made, start) }
}

/// # Safety
/// `key` and `iv` are readable and `made` writable unless null.
unsafe fn new(
    (key, key_len): (*const u8, usize),
    (iv, iv_len): (*const u8, usize),
    made: *mut *mut KuznyechikCtr,
    start: impl FnOnce(&[u8; 32], &[u8; SIVKA_KUZNYECHIK_IV_LEN]) -> Result<Mode, Error>,
) -> Status {
    let make = || {
        let (key, iv) = (Region::new("key", key, key_len)?, Region::new("iv", iv, iv_len)?);
        // SAFETY: the caller's promise.
        let (key, iv) = unsafe { (key.as_array()?, iv.as_array()?) };
        Ok(KuznyechikCtr(start(key, iv)?))
    };
    // SAFETY: the caller's promise.
    unsafe { making(made, make) }
}

/// Wipes and frees a keystream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_ctr_free(ctr: *mut KuznyechikCtr) {
    // SAFETY: it came from one of the two above and was not freed, as the header asks.
    unsafe { free("ctr", ctr) }
}

/// XORs the next `in_out_len` bytes of the keystream into `in_out`, which encrypts and decrypts
/// alike. A message may come whole or in pieces of any lengths. After a failure `in_out` is as it
/// was, and so is the keystream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_ctr_apply_keystream(
    ctr: *mut KuznyechikCtr,
    in_out: *mut u8,
    in_out_len: usize,
) -> Status {
    guard(|| {
        let in_out = Region::new("in_out", in_out, in_out_len)?;
        // SAFETY: live, as the header asks, and no other thread uses it.
        let ctr = unsafe { handle_mut("ctr", ctr) }?;
        // SAFETY: the caller's buffer, as the header asks; nothing else of it in use.
        let in_out = unsafe { in_out.as_mut_slice() };
        Ok(match &mut ctr.0 {
            Mode::Ctr(ctr) => ctr.apply_keystream(in_out),
            Mode::CtrAcpkm(ctr) => ctr.apply_keystream(in_out),
        }?)
    })
}
