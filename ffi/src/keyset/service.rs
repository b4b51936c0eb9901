//! Keysets that a key-management service has encrypted, or is to encrypt.

use super::Keyset;
use super::form::{Encrypted, Encrypting, SIVKA_KEYSET_MAX_LEN};
use crate::failure::{Failure, guard};
use crate::key::result;
use crate::progress::Caller;
use crate::status::Status;
use sivka_keyset::{Error, KeyEncryptionKey};
use std::ffi::c_void;
use zeroize::Zeroizing;

/// Encrypts or decrypts, as a key-management service does, the `input_len` bytes at `input`
/// with the AAD. Writes what comes out to `output`, which has room for `capacity` bytes
/// (SIVKA_KEYSET_MAX_LEN), and its length to `written_len`. Answers 0, or any other number if
/// that was not possible.
///
/// `context` is what the caller gave. It is called once, by the caller's thread; it does not
/// throw, and does not jump away. What it decrypts is a keyset in the clear: `output` is wiped
/// by this library, every copy by the function.
pub type ServiceFunction = Option<
    unsafe extern "C" fn(
        context: *mut c_void,
        input: *const u8,
        input_len: usize,
        aad: *const u8,
        aad_len: usize,
        output: *mut u8,
        capacity: usize,
        written_len: *mut usize,
    ) -> i32,
>;

/// A service, by one of its two functions.
struct Service {
    call: unsafe extern "C" fn(
        *mut c_void,
        *const u8,
        usize,
        *const u8,
        usize,
        *mut u8,
        usize,
        *mut usize,
    ) -> i32,
    caller: Caller,
}

impl Service {
    fn new(
        what: &'static str,
        call: ServiceFunction,
        context: *mut c_void,
    ) -> Result<Self, Failure> {
        let call = call.ok_or(Failure::Null { what })?;
        let caller = Caller::new(context);
        Ok(Self { call, caller })
    }

    /// What the function makes of the input.
    fn ask(&self, input: &[u8], aad: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        // All of it now: a vector that grows leaves copies.
        let mut output = Zeroizing::new(vec![0; SIVKA_KEYSET_MAX_LEN]);
        let mut written_len = 0;
        // SAFETY: a function as the header asks; the slices are readable, the output is writable
        // and initialised.
        let answer = unsafe {
            (self.call)(
                self.caller.context,
                input.as_ptr(),
                input.len(),
                aad.as_ptr(),
                aad.len(),
                output.as_mut_ptr(),
                output.len(),
                &raw mut written_len,
            )
        };
        if answer != 0 {
            return Err(Error::Kms(format!("the function answered {answer}")));
        }
        if written_len > output.len() {
            let why = "the function wrote more than there is room for";
            return Err(Error::Kms(why.to_owned()));
        }
        output.truncate(written_len);
        Ok(output)
    }
}

impl KeyEncryptionKey for Service {
    fn encrypt(&self, keyset: &[u8], associated_data: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(self.ask(keyset, associated_data)?.to_vec())
    }

    fn decrypt(
        &self,
        encrypted: &[u8],
        associated_data: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.ask(encrypted, associated_data)
    }
}

/// sivka_keyset_decrypt() by a key-management service: `decrypt` is given the encrypted keyset
/// and the AAD, and answers the keyset in binary.
///
/// SIVKA_ERROR_SERVICE if `decrypt` answers another number than 0, or a length above its
/// capacity; and as sivka_keyset_from_insecure().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_decrypt_with_service(
    decrypt: ServiceFunction,
    context: *mut c_void,
    aad: *const u8,
    aad_len: usize,
    input: *const u8,
    input_len: usize,
    flags: u32,
    made: *mut *mut Keyset,
) -> Status {
    guard(|| {
        // SAFETY: a writable pointer or null, and memory, as the header asks.
        unsafe {
            let mut made = result("made", made)?;
            let service = Service::new("decrypt", decrypt, context)?;
            let encrypted = Encrypted::new((input, input_len), (aad, aad_len))?;
            made.handle = encrypted.decrypt(&service, flags)?;
        }
        Ok(())
    })
}

/// sivka_keyset_encrypt() by a key-management service: `encrypt` is given the keyset in binary,
/// in the clear, and the AAD. It is called again by each call, also by one that only asks for
/// the capacity; where the service's answers differ in length, give SIVKA_KEYSET_MAX_LEN.
///
/// SIVKA_ERROR_SERVICE if `encrypt` answers another number than 0, or a length above its
/// capacity; and as sivka_keyset_to_insecure().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_encrypt_with_service(
    keyset: *const Keyset,
    encrypt: ServiceFunction,
    context: *mut c_void,
    aad: *const u8,
    aad_len: usize,
    flags: u32,
    output: *mut u8,
    capacity: usize,
    written_len: *mut usize,
) -> Status {
    guard(|| {
        let encrypting = Encrypting::new((aad, aad_len), (output, capacity, written_len))?;
        let service = Service::new("encrypt", encrypt, context)?;
        // SAFETY: a live keyset, and memory, as the header asks.
        unsafe { encrypting.encrypt(keyset, &service, flags) }
    })
}
