//! Every call that takes a secret.

mod aead;
pub(crate) mod batch;
mod file;
mod forgery;
mod interface;
pub(crate) mod keyset;
mod kuznyechik;
mod list;

use crate::secret::Seed;

/// Where the AADs of messages are taken from: more than the kernels for short messages take.
static AAD: [u8; 336] = [b'a'; 336];

/// The length in bytes of an AAD that they take.
const SHORT_AAD: usize = 33;

/// A call, in three steps. Only the second is watched.
pub(crate) struct Call {
    /// The algorithm, what is done, and the lengths.
    pub(crate) name: String,
    /// Makes the arguments of the secrets.
    pub(crate) prepare: Box<dyn Fn(Seed) -> Watched>,
    pub(crate) depth: Depth,
}

/// Who makes a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Depth {
    /// All: it does what no other call does, and is soon done instruction by instruction.
    Brief,
    /// Who executes the program as a whole.
    Usual,
    /// Who has time: what it does is done by others together.
    Full,
}

/// Makes the call.
pub(crate) type Watched = Box<dyn FnOnce() -> Check>;

/// Panics unless the call gave what it had to.
pub(crate) type Check = Box<dyn FnOnce()>;

impl Call {
    fn new(name: String, prepare: impl Fn(Seed) -> Watched + 'static) -> Self {
        Self {
            name,
            prepare: Box::new(prepare),
            depth: Depth::Brief,
        }
    }

    /// One that is not brief is made by who executes all.
    fn brief(self, brief: bool) -> Self {
        match brief {
            true => self,
            false => self.at_least(Depth::Usual),
        }
    }

    fn at_least(self, depth: Depth) -> Self {
        Self {
            depth: depth.max(self.depth),
            ..self
        }
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

pub(crate) fn all() -> Vec<Call> {
    let mut calls = Vec::new();
    aead::add(&mut calls);
    batch::add(&mut calls);
    list::add(&mut calls);
    kuznyechik::add(&mut calls);
    file::add(&mut calls);
    keyset::add(&mut calls);
    interface::add(&mut calls);
    calls
}

/// What is judged is the tier that was asked for, not one that was taken instead.
fn assert_forced(tier_name: &str) {
    if let Ok(forced) = std::env::var("SIVKA_TIER") {
        assert_eq!(tier_name, forced);
    }
}
