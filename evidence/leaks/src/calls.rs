//! Every call that takes a secret: one list, for valgrind, for the tracer, and for the search of
//! memory.

mod aead;
mod batch;
mod file;
mod forgery;
mod interface;
mod keyset;
mod kuznyechik;
mod list;
mod stack;

pub(crate) use file::{Kind, identity_text, letters};
pub(crate) use keyset::{ASSOCIATED, TYPES};

use crate::secret::Seed;

/// Where the AADs of messages are taken from: more than the kernels for short messages take.
pub(crate) static AAD: [u8; 336] = [b'a'; 336];

/// The length in bytes of an AAD that they take.
pub(crate) const SHORT_AAD: usize = 33;

/// From this length in bytes on, a message overwrites its stack.
const OVERWRITTEN_LEN: usize = 64 << 10;

/// A call, in three steps. Only the second is watched; memory is searched after the last.
pub(crate) struct Call {
    /// The algorithm, the operation, and the lengths.
    pub(crate) name: String,
    pub(crate) of: Of,
    /// Makes the arguments of the secrets.
    pub(crate) prepare: Box<dyn Fn(Seed) -> Watched>,
    pub(crate) depth: Depth,
}

/// The cipher whose key the first secrets are.
#[derive(Clone, Copy)]
pub(crate) enum Of {
    /// An algorithm, with so many messages under the nonces of [`nonce_of`].
    Key(&'static str, usize),
    File(Kind),
    /// A key of this type in a keyset.
    Keyset(&'static str),
    /// A service: memory is not searched.
    Service,
}

/// Who makes a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Depth {
    /// All tools: no other call does the same, and it takes few instructions.
    Brief,
    /// Who executes the program as a whole.
    Usual,
    /// Only fast tools: other calls together do the same.
    Full,
    /// Who searches memory, and nobody else: it takes too long, or a secret may decide something.
    Searched,
}

/// Makes the call.
pub(crate) type Watched = Box<dyn FnOnce() -> Check>;

/// Panics if the result of the call is wrong.
pub(crate) type Check = Box<dyn FnOnce()>;

impl Call {
    fn new(name: impl Into<String>, of: Of, prepare: impl Fn(Seed) -> Watched + 'static) -> Self {
        Self { name: name.into(), of, prepare: Box::new(prepare), depth: Depth::Brief }
    }

    /// One that is not brief is made by who executes all.
    fn brief(self, brief: bool) -> Self {
        self.at(if brief { Depth::Brief } else { Depth::Usual })
    }

    fn at(self, depth: Depth) -> Self {
        Self { depth, ..self }
    }
}

/// A depth for what valgrind takes for a leak: it looks for the ends of texts, among digits that
/// are secret.
const fn unless_ctgrind(depth: Depth) -> Depth {
    match cfg!(feature = "ctgrind") {
        true => Depth::Searched,
        false => depth,
    }
}

/// A call of a closure, whose result another closure looks at.
fn watched<R: 'static>(
    call: impl FnOnce() -> R + 'static,
    check: impl FnOnce(R) + 'static,
) -> Watched {
    Box::new(move || {
        let result = call();
        Box::new(move || check(result))
    })
}

/// The operation on messages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Seal,
    Open,
    Forged,
}

const ENDINGS: [(Ending, &str); 3] =
    [(Ending::Seal, "seal"), (Ending::Open, "open"), (Ending::Forged, "open, forged,")];

/// Every byte of a nonce is its message's number, from one on, which every algorithm allows.
pub(crate) fn nonce_of(message: usize, len: usize) -> Vec<u8> {
    vec![message as u8 + 1; len]
}

/// The next step of a program: a key that is made and ends clears the vector registers. A program
/// that only reads or writes a key promises nothing of them.
fn go_on() {
    drop(sivka::Aes256GcmSiv::new(&[7; 32]));
}

pub(crate) fn all() -> Vec<Call> {
    let mut calls = Vec::new();
    aead::add(&mut calls);
    stack::add(&mut calls);
    batch::add(&mut calls);
    list::add(&mut calls);
    kuznyechik::add(&mut calls);
    file::add(&mut calls);
    keyset::add(&mut calls);
    interface::add(&mut calls);
    calls
}

/// Checks that the requested tier runs, and not another one.
fn assert_forced(tier_name: &str) {
    if let Ok(forced) = std::env::var("SIVKA_TIER") {
        assert_eq!(tier_name, forced);
    }
}
