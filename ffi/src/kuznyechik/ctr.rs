//! Kuznyechik in CTR and CTR-ACPKM.

use crate::failure::guard;
use crate::handle::{free, handle_mut, making};
use crate::region::Region;
use crate::status::Status;
use sivka::{KuznyechikCtr as Ctr, KuznyechikCtrAcpkm as CtrAcpkm};

/// Where a keystream of Kuznyechik is, for one message: CTR (GOST R 34.13-2015 section 5.2) or
/// CTR-ACPKM (RFC 8645 section 6.2.2). Nothing is authenticated, and two messages under one key and
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

/// Starts the keystream of a key of 32 bytes and an IV of SIVKA_KUZNYECHIK_IV_LEN: CTR if
/// `section_len` is 0, with 2^64 blocks. Otherwise CTR-ACPKM: after every `section_len` bytes of
/// keystream, a multiple of SIVKA_KUZNYECHIK_BLOCK_LEN, the key is replaced by one made of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_ctr_new(
    key: *const u8,
    key_len: usize,
    iv: *const u8,
    iv_len: usize,
    section_len: u64,
    made: *mut *mut KuznyechikCtr,
) -> Status {
    let make = || {
        let (key, iv) = (Region::new("key", key, key_len)?, Region::new("iv", iv, iv_len)?);
        // SAFETY: as the header asks.
        let (key, iv) = unsafe { (key.as_array()?, iv.as_array()?) };
        Ok(KuznyechikCtr(match section_len {
            0 => Mode::Ctr(Ctr::new(key, iv)),
            _ => Mode::CtrAcpkm(CtrAcpkm::new(key, iv, section_len)?),
        }))
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// Wipes and frees a keystream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_ctr_free(ctr: *mut KuznyechikCtr) {
    // SAFETY: it came from `sivka_kuznyechik_ctr_new` and was not freed, as the header asks.
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
