//! What locks or unlocks the files of one run: keys and passphrases.

use std::path::Path;

use sivka_file::{
    Argon2Cost, Error, Header, KeyFile, KeyId, Lock, Passphrase, SlotInfo, StretchedPassphrase,
    Unlock,
};
use zeroize::Zeroizing;

use crate::args::{KeyArgs, NewKey};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::key_store::{
    default_key_path, key_of_environment, make_default_key, read_key_file, read_passphrase,
};
use crate::name::shown;
use crate::progress::Progress;
use crate::prompt;

/// How often a passphrase may be typed for one file.
const TRIES: usize = 3;

/// The keys and passphrases of one run.
pub(crate) struct Secrets {
    key_files: Vec<KeyFile>,
    passphrase: Option<Passphrase>,
    /// The passphrase as the slots of new files take it.
    stretched: Option<StretchedPassphrase>,
    /// Whether the passphrase was typed, and so may be typed again.
    was_typed: bool,
}

impl Secrets {
    /// What new files will be locked with. The default key is made if it is
    /// wanted and does not exist.
    pub(crate) fn for_sealing(keys: &KeyArgs, console: Console<'_>) -> Result<Self, Failure> {
        let gathered = Self::gather(keys, console, prompt::new_passphrase, |path| {
            make_default_key(path)?;
            read_key_file(path)
        })?;
        for (number, key) in gathered.key_files.iter().enumerate() {
            let before = &gathered.key_files[..number];
            if let Some(first) = before.iter().position(|other| other.id() == key.id()) {
                let names = [number, first].map(|number| shown(&keys.key[number]));
                let [name, first] = names;
                let message = format!("{name}: is the same key as {first}");
                return Err(Failure::new(Exit::Usage, message).hint("give each key once"));
            }
        }
        Ok(gathered)
    }

    /// What a new slot will be locked with.
    pub(crate) fn for_new_slot(new: &NewKey, console: Console<'_>) -> Result<Self, Failure> {
        let keys = KeyArgs {
            key: new.new_key.iter().cloned().collect(),
            passphrase: new.new_passphrase,
            passphrase_file: new.new_passphrase_file.clone(),
        };
        Self::for_sealing(&keys, console)
    }

    /// What existing files, `first` before the others, may be unlocked with.
    pub(crate) fn for_opening(
        keys: &KeyArgs,
        first: &Path,
        console: Console<'_>,
    ) -> Result<Self, Failure> {
        Self::gather(
            keys,
            console,
            || prompt::passphrase(first),
            |path| {
                Err(Failure::new(
                    Exit::Key,
                    format!("{}: there is no default key", shown(path)),
                )
                .hint("name a key with --key, or give the passphrase with --passphrase"))
            },
        )
    }

    fn gather(
        keys: &KeyArgs,
        console: Console<'_>,
        ask: impl FnOnce() -> Result<Zeroizing<String>, Failure>,
        no_default_key: impl FnOnce(&Path) -> Result<KeyFile, Failure>,
    ) -> Result<Self, Failure> {
        let read = |path: &Path| {
            let key = read_key_file(path)?;
            console.detail(|| format!("using the key in {}, id {}", shown(path), key.id()));
            Ok(key)
        };
        let mut key_files = keys
            .key
            .iter()
            .map(|path| read(path))
            .collect::<Result<Vec<_>, _>>()?;
        let passphrase = match &keys.passphrase_file {
            Some(path) => Some(read_passphrase(path)?),
            None if keys.passphrase => Some(ask()?),
            None => None,
        };
        if passphrase.as_ref().is_some_and(|text| text.is_empty()) {
            return Err(Failure::new(Exit::Key, "the passphrase is empty"));
        }
        if key_files.is_empty()
            && passphrase.is_none()
            && let Some(path) = key_of_environment()?
        {
            key_files.push(read(&path)?);
        }
        if key_files.is_empty() && passphrase.is_none() {
            let path = default_key_path()?;
            let found = path
                .try_exists()
                .map_err(|error| Failure::io(&path, &error))?;
            key_files.push(match found {
                true => read(&path)?,
                false => no_default_key(&path)?,
            });
        }
        Ok(Self {
            key_files,
            was_typed: passphrase.is_some() && keys.passphrase_file.is_none(),
            passphrase: passphrase.map(|text| Passphrase::new(text.to_string())),
            stretched: None,
        })
    }

    /// Derives what all files of the run are locked with, once for them all.
    pub(crate) fn stretch(&mut self, progress: &Progress) -> Result<(), Failure> {
        if let (Some(passphrase), None) = (&self.passphrase, &self.stretched) {
            progress.deriving();
            let stretched = StretchedPassphrase::new(passphrase, Argon2Cost::DEFAULT);
            self.stretched = Some(stretched.map_err(|error| Failure::derivation(&error))?);
        }
        Ok(())
    }

    /// One lock for each key and passphrase.
    pub(crate) fn locks(&self) -> Vec<Lock<'_>> {
        let passphrase = match (&self.stretched, &self.passphrase) {
            (Some(stretched), _) => Some(Lock::Stretched(stretched)),
            (None, Some(text)) => Some(Lock::Passphrase(text, Argon2Cost::DEFAULT)),
            (None, None) => None,
        };
        let key_files = self.key_files.iter().map(Lock::KeyFile);
        key_files.chain(passphrase).collect()
    }

    /// A lock for each slot of a header, as it says what opens these; `None` if a key or the
    /// passphrase of one is not here.
    pub(crate) fn locks_of(&self, header: &Header) -> Option<Vec<Lock<'_>>> {
        let lock = |slot| match slot {
            SlotInfo::KeyFile { id } => {
                let key = self.key_files.iter().find(|key| key.id() == id)?;
                Some(Lock::KeyFile(key))
            }
            SlotInfo::Passphrase { cost } => {
                let passphrase = self.passphrase.as_ref()?;
                Some(Lock::Passphrase(passphrase, cost))
            }
            _ => None,
        };
        header.slots().map(lock).collect()
    }

    /// Every key and passphrase that may fit.
    pub(crate) fn unlocks(&self) -> Vec<Unlock<'_>> {
        let passphrase = self.passphrase.iter().map(Unlock::Passphrase);
        self.key_files
            .iter()
            .map(Unlock::KeyFile)
            .chain(passphrase)
            .collect()
    }

    /// Does `work`, which opens the file at `path`, with every key and passphrase; and
    /// again with a passphrase typed anew as long as none fits.
    pub(crate) fn try_on<T>(
        &mut self,
        path: &Path,
        progress: &Progress,
        mut work: impl FnMut(&[Unlock<'_>]) -> Result<T, Error>,
    ) -> Result<Result<T, Error>, Failure> {
        for _ in 1..TRIES {
            if self.passphrase.is_some() {
                progress.deriving();
            }
            match work(&self.unlocks()) {
                Err(Error::NoSlotOpens) if self.was_typed => {}
                done => return Ok(done),
            }
            let again = progress.aside(|| prompt::passphrase_again(path))?;
            self.passphrase = Some(Passphrase::new(again.to_string()));
        }
        Ok(work(&self.unlocks()))
    }

    /// Whether the key file of this id is among them.
    pub(crate) fn has_key(&self, id: KeyId) -> bool {
        self.key_files.iter().any(|key| key.id() == id)
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
