//! The keys and the passphrase of one run.

use std::path::{Path, PathBuf};

use sivka_file::{
    Argon2Cost, Error, Header, Identity, KeyFile, KeyId, Lock, Passphrase, Recipient, SlotInfo,
    Unlock,
};

use crate::args::{KeyArgs, Limit, NewKey, Recipients};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::key_store::{
    KeyPassphrases, OwnKey, default_key_path, key_of_environment, make_default_key, read_key,
    read_new_passphrase, read_passphrase, read_recipients, stays_closed, stored_keys,
    warn_of_default_key,
};
use crate::name::{is_same_file, shown};
use crate::prompt;

/// The keys and the passphrase of one run.
#[derive(Default)]
pub(crate) struct Secrets {
    key_files: Vec<KeyFile>,
    identities: Vec<Identity>,
    /// For whom new files will be sealed, besides.
    recipients: Vec<Recipient>,
    passphrase: Option<Passphrase>,
    /// Whether the passphrase was typed, and so may be typed again.
    was_typed: bool,
    /// The files that they are in.
    files: Vec<PathBuf>,
}

impl Secrets {
    /// The locks of new files. The default key is made if it is wanted and does not exist.
    pub(crate) fn for_sealing(
        (args, limit): (&KeyArgs, &Limit),
        recipients: &Recipients,
        console: &Console,
    ) -> Result<Self, Failure> {
        let mut secrets = Self {
            recipients: recipients.read()?,
            files: recipients.recipients_file.clone(),
            ..Self::default()
        };
        let mut passphrases = secrets.read_named((args, limit), console)?;
        let Argon2Cost { memory_kib, passes, .. } = Argon2Cost::DEFAULT;
        let is_dear = limit.max_memory < memory_kib >> 10 || limit.max_passes < passes;
        if is_dear && (args.passphrase || args.passphrase_file.is_some()) {
            let message = "a new passphrase costs more than --max-memory or --max-passes";
            return Err(Failure::new(Exit::Limit, message)
                .hint(format!("it needs {} MiB and {passes} passes", memory_kib >> 10)));
        }
        let text = match &args.passphrase_file {
            Some(path) => Some(read_new_passphrase(path)?),
            None if args.passphrase => Some(prompt::new_passphrase()?),
            None => None,
        };
        secrets.passphrase = text.map(|text| Passphrase::new(text.to_string()));
        if !args.is_given() && secrets.recipients.is_empty() {
            let mut open = |path: &Path, sealed: &[u8]| passphrases.open(path, sealed);
            if let Some(path) = key_of_environment()? {
                secrets.keep(&path, read_key(&path, &mut open)?, console);
            } else {
                let path = default_key_path()?;
                let found = path.try_exists();
                if !found.map_err(|error| Failure::io(&path, &error))? {
                    make_default_key(&path)?;
                }
                warn_of_default_key(&path);
                secrets.keep(&path, read_key(&path, &mut open)?, console);
            }
        }
        secrets.check_sealing(console)?;
        Ok(secrets)
    }

    /// The lock of a new slot.
    pub(crate) fn for_new_slot(
        new: &NewKey,
        (old, limit): (&KeyArgs, &Limit),
        console: &Console,
    ) -> Result<Self, Failure> {
        let keys = KeyArgs {
            key_passphrase_file: old.key_passphrase_file.clone(),
            key: new.new_key.iter().cloned().collect(),
            passphrase: new.new_passphrase,
            passphrase_file: new.new_passphrase_file.clone(),
        };
        let recipients = Recipients {
            recipient: new.recipient.iter().cloned().collect(),
            recipients_file: Vec::new(),
        };
        Self::for_sealing((&keys, limit), &recipients, console)
    }

    /// The keys for existing files, with `first` before the others. Without any, all keys in the
    /// configuration folder.
    pub(crate) fn for_opening(
        (args, limit): (&KeyArgs, &Limit),
        first: &Path,
        console: &Console,
    ) -> Result<Self, Failure> {
        let mut secrets = Self::default();
        let mut passphrases = secrets.read_named((args, limit), console)?;
        let text = match &args.passphrase_file {
            Some(path) => Some(read_passphrase(path)?),
            None if args.passphrase => Some(prompt::passphrase(first, false)?),
            None => None,
        };
        secrets.was_typed = args.passphrase;
        secrets.passphrase = text.map(|text| Passphrase::new(text.to_string()));
        if args.is_given() {
            return Ok(secrets);
        }
        let mut open = |path: &Path, sealed: &[u8]| passphrases.open(path, sealed);
        if let Some(path) = key_of_environment()? {
            secrets.keep(&path, read_key(&path, &mut open)?, console);
            return Ok(secrets);
        }
        let default = default_key_path()?;
        for path in stored_keys(&default)? {
            let key = match path == default {
                true => {
                    warn_of_default_key(&path);
                    read_key(&path, &mut open)?
                }
                // Nobody is asked for the passphrase of a key that was not named.
                false => match read_key(&path, stays_closed) {
                    Ok(key) => key,
                    Err(failure) => {
                        console.detail(|| failure.message().to_owned());
                        continue;
                    }
                },
            };
            secrets.keep(&path, key, console);
        }
        Ok(secrets)
    }

    /// Reads the named keys, with the passphrases that open protected ones.
    fn read_named(
        &mut self,
        (args, limit): (&KeyArgs, &Limit),
        console: &Console,
    ) -> Result<KeyPassphrases, Failure> {
        let of_keys = args.key_passphrase_file.as_deref();
        let mut passphrases = KeyPassphrases::new(of_keys, limit.options())?;
        for path in &args.key {
            let key = read_key(path, |path: &Path, sealed: &[u8]| passphrases.open(path, sealed))?;
            self.keep(path, key, console);
        }
        let of_passphrases = [&args.passphrase_file, &args.key_passphrase_file];
        self.files.extend(of_passphrases.into_iter().flatten().cloned());
        Ok(passphrases)
    }

    fn keep(&mut self, path: &Path, key: OwnKey, console: &Console) {
        self.files.push(path.to_path_buf());
        match key {
            OwnKey::KeyFile(key) => {
                console.detail(|| format!("using the key in {}, id {}", shown(path), key.id()));
                self.key_files.push(key);
            }
            OwnKey::Identities(own) => {
                console.detail(|| format!("using the identities in {}", shown(path)));
                self.identities.extend(own);
            }
        }
    }

    /// Refuses keys that were given twice, and warns of recipients that make others useless.
    fn check_sealing(&self, console: &Console) -> Result<(), Failure> {
        let twice = |what: String| {
            let message = format!("{what} was given twice");
            Err(Failure::new(Exit::Usage, message).hint("give each key once"))
        };
        for (number, key) in self.key_files.iter().enumerate() {
            if self.key_files[..number].iter().any(|other| other.id() == key.id()) {
                return twice(format!("the key of id {}", key.id()));
            }
        }
        let people: Vec<&Recipient> = self.all_recipients().collect();
        for (number, recipient) in people.iter().enumerate() {
            if people[..number].contains(recipient) {
                return twice(format!("the recipient {:.20}...", recipient.to_string()));
            }
        }
        let post_quantum = people.iter().filter(|person| person.is_post_quantum()).count();
        if post_quantum > 0 && post_quantum < people.len() {
            console.note(
                "some recipients are not post-quantum (age1..., not age1pq1...): a future quantum \
                 computer could open the file by their slots",
            );
        }
        Ok(())
    }

    /// Whether one of them is in the file at `path`.
    pub(crate) fn are_in(&self, path: &Path) -> bool {
        self.files.iter().any(|file| is_same_file(file, path))
    }

    /// Fails if a result at `target` would replace a file that one of them is in.
    pub(crate) fn may_be_replaced_by(&self, target: &Path) -> Result<(), Failure> {
        let files: Vec<&Path> = self.files.iter().map(PathBuf::as_path).collect();
        refuse_target(&files, target)
    }

    /// One lock for each key and passphrase. Says that sealing begins with a passphrase, if it
    /// does.
    pub(crate) fn locks(&self, console: &Console) -> Vec<Lock<'_>> {
        if self.passphrase.is_some() {
            console.deriving();
        }
        let passphrase = self.passphrase.iter();
        let passphrase = passphrase.map(|text| Lock::Passphrase(text, Argon2Cost::DEFAULT));
        let key_files = self.key_files.iter().map(Lock::KeyFile);
        let people = self.all_recipients().map(Lock::Recipient);
        key_files.chain(passphrase).chain(people).collect()
    }

    /// Recipients, and those whose identities were given.
    fn all_recipients(&self) -> impl Iterator<Item = &Recipient> {
        let own = self.identities.iter().map(Identity::recipient);
        self.recipients.iter().chain(own)
    }

    /// A lock for each slot of a header; `None` if a key or the passphrase of one was not given.
    pub(crate) fn locks_of(&self, header: &Header) -> Option<Vec<Lock<'_>>> {
        let lock = |slot| match slot {
            SlotInfo::KeyFile { id } => {
                let key = self.key_files.iter().find(|key| key.id() == id)?;
                Some(Lock::KeyFile(key))
            }
            SlotInfo::Passphrase { cost } => {
                Some(Lock::Passphrase(self.passphrase.as_ref()?, cost))
            }
            _ => None,
        };
        header.slots().map(lock).collect()
    }

    /// Every key, and the passphrase.
    pub(crate) fn unlocks(&self) -> Vec<Unlock<'_>> {
        let identities = self.identities.iter().map(Unlock::Identity);
        let key_files = self.key_files.iter().map(Unlock::KeyFile);
        let passphrase = self.passphrase.iter().map(Unlock::Passphrase);
        key_files.chain(identities).chain(passphrase).collect()
    }

    /// Does `work`, which opens the file at `path`, with every key and passphrase. While none opens
    /// it, asks for another passphrase.
    pub(crate) fn try_on<T>(
        &mut self,
        path: &Path,
        console: &Console,
        mut work: impl FnMut(&[Unlock<'_>]) -> Result<T, Error>,
    ) -> Result<Result<T, Error>, Failure> {
        for _ in 1..prompt::TRIES {
            if self.passphrase.is_some() {
                console.deriving();
            }
            let done = work(&self.unlocks());
            if !self.was_typed || !matches!(done, Err(Error::NoSlotOpens)) {
                return Ok(done);
            }
            let typed = console.aside(|| prompt::passphrase(path, true))?;
            self.passphrase = Some(Passphrase::new(typed.to_string()));
        }
        Ok(work(&self.unlocks()))
    }

    /// Whether the key file of this id is among them.
    pub(crate) fn has_key(&self, id: KeyId) -> bool {
        self.key_files.iter().any(|key| key.id() == id)
    }

    /// Whether an identity is among them.
    pub(crate) fn has_identity(&self) -> bool {
        !self.identities.is_empty()
    }

    /// Whether a passphrase is among them.
    pub(crate) fn has_passphrase(&self) -> bool {
        self.passphrase.is_some()
    }
}

/// The secrets of the run, gathered when the first file needs them: nobody is
/// asked for a passphrase, and no key is made, for a file that is not there.
pub(crate) fn gathered(
    secrets: &mut Option<Secrets>,
    gather: impl FnOnce() -> Result<Secrets, Failure>,
) -> Result<&mut Secrets, Failure> {
    let found = match secrets.take() {
        Some(found) => found,
        None => gather().map_err(Failure::ending_run)?,
    };
    Ok(secrets.insert(found))
}

/// Fails if `target` is one of the files that a run reads its keys from, by links of any kind.
pub(crate) fn refuse_target(own: &[&Path], target: &Path) -> Result<(), Failure> {
    if !own.iter().any(|file| is_same_file(file, target)) {
        return Ok(());
    }
    let message = "this run reads it for its keys, and the result would replace it";
    Err(Failure::new(Exit::Usage, format!("{}: {message}", shown(target))))
}

impl KeyArgs {
    /// Whether a key or a passphrase is named.
    fn is_given(&self) -> bool {
        !self.key.is_empty() || self.passphrase || self.passphrase_file.is_some()
    }

    /// The files that are named.
    pub(crate) fn files(&self) -> Vec<&Path> {
        let passphrases = [&self.passphrase_file, &self.key_passphrase_file];
        let named = self.key.iter().chain(passphrases.into_iter().flatten());
        named.map(PathBuf::as_path).collect()
    }
}

impl Recipients {
    /// Everybody who was named.
    fn read(&self) -> Result<Vec<Recipient>, Failure> {
        let mut people = Vec::new();
        for text in &self.recipient {
            people.push(text.parse().map_err(|error| {
                let is_file = Path::new(text).is_file();
                // Of what may be a secret key, nothing is quoted.
                let name = if is_file || text.starts_with("age1") { text } else { "-r" };
                let failure = Failure::new(Exit::Usage, format!("{name:.20}: {error}"));
                match is_file {
                    true => failure.hint("-R reads recipients from a file, one a line"),
                    false => {
                        failure.hint("`sivka keygen --identity` makes a recipient and its identity")
                    }
                }
            })?);
        }
        for path in &self.recipients_file {
            people.extend(read_recipients(path)?);
        }
        Ok(people)
    }
}
