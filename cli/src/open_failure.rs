//! Why a file did not open, with the keys that would open it.

use std::path::Path;

use sivka_file::{Error, Header, SlotInfo};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::keys::Secrets;
use crate::name::shown;

impl Secrets {
    /// Why the file at `path` did not open with them, and the keys that would open it, by its
    /// header. Nothing in the header is authentic.
    pub(crate) fn refusal(&self, path: &Path, header: Option<&Header>, error: &Error) -> Failure {
        let failure = match error {
            Error::NoSlotOpens if self.unlocks().is_empty() => {
                let message = format!("{}: there is no key to open it with", shown(path));
                Failure::new(Exit::Key, message).hint("name a key with --key, or use --passphrase")
            }
            error => Failure::file(path, path, error),
        };
        let hint = match error {
            Error::NoSlotOpens => header.and_then(|header| what_opens(header, self)),
            _ => None,
        };
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

/// The keys that open a file by its header, without the ones among `secrets`.
fn what_opens(header: &Header, secrets: &Secrets) -> Option<String> {
    let ids = || {
        header.slots().filter_map(|slot| match slot {
            SlotInfo::KeyFile { id } => Some(id),
            _ => None,
        })
    };
    if let Some(id) = ids().find(|id| secrets.has_key(*id)) {
        return Some(format!("it has a slot for the given key, of id {id}: that slot is damaged"));
    }
    let has = |sought: fn(&SlotInfo) -> bool| header.slots().any(|slot| sought(&slot));
    let for_people = has(|slot| matches!(slot, SlotInfo::X25519 | SlotInfo::MlKem768X25519));
    let by_passphrase = has(|slot| matches!(slot, SlotInfo::Passphrase { .. }));
    let mut ways = Vec::new();
    if by_passphrase && !secrets.has_passphrase() {
        ways.push("a passphrase (--passphrase)".to_owned());
    }
    let ids: Vec<_> = ids().map(|id| id.to_string()).collect();
    if !ids.is_empty() {
        ways.push(format!("the key file of id {} (--key)", ids.join(" or ")));
    }
    if for_people && !secrets.has_identity() {
        ways.push("a recipient's identity (--key)".to_owned());
    }
    (!ways.is_empty()).then(|| format!("it says it opens with {}", ways.join(", or ")))
}
