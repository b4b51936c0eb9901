//! What locks or unlocks the files of one run: keys and passphrases.

use std::path::{Path, PathBuf};

use sivka_file::{
    Argon2Cost, Error, Header, Identity, KeyFile, KeyId, Lock, Passphrase, Recipient, SlotInfo,
    Unlock,
};
use zeroize::Zeroizing;

use crate::args::{KeyArgs, Limit, NewKey, Recipients};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::key_store::{
    OwnKey, default_key_path, key_of_environment, make_default_key, read_key, read_new_passphrase,
    read_passphrase, read_recipients, warn_of_default_key,
};
use crate::name::{is_same_file, shown};
use crate::progress::Progress;
use crate::prompt;
use crate::protected_key::KeyPassphrases;

/// How often a passphrase may be typed for one file.
const TRIES: usize = 3;

/// A passphrase, or why there is none.
type Text = Result<Zeroizing<String>, Failure>;

/// The keys and passphrases of one run.
pub(crate) struct Secrets {
    key_files: Vec<KeyFile>,
    identities: Vec<Identity>,
    /// For whom new files will be sealed, besides.
    recipients: Vec<Recipient>,
    /// The last one is the one in use. Those before it opened other files of the run.
    passphrases: Vec<Passphrase>,
    /// Whether the passphrase was typed, and so may be typed again.
    was_typed: bool,
    /// Whether a file was tried with what was typed first.
    was_tried: bool,
    /// The files that they are in.
    files: Vec<PathBuf>,
}

impl Secrets {
    /// What new files will be locked with. The default key is made if it is
    /// wanted and does not exist.
    pub(crate) fn for_sealing(
        (keys, limit): (&KeyArgs, &Limit),
        recipients: &Recipients,
        console: Console<'_>,
    ) -> Result<Self, Failure> {
        let people = recipients.recipients_file.clone();
        let recipients = recipients.read()?;
        let mut gathered = Self::gather(
            (keys, limit),
            !recipients.is_empty(),
            console,
            (prompt::new_passphrase, read_new_passphrase),
            make_default_key,
        )?;
        gathered.files.extend(people);
        gathered.recipients = recipients;
        gathered.check_sealing(console)?;
        Ok(gathered)
    }

    /// Refuses keys that were given twice, and warns of those that undo what others are for.
    fn check_sealing(&self, console: Console<'_>) -> Result<(), Failure> {
        for (number, key) in self.key_files.iter().enumerate() {
            let before = &self.key_files[..number];
            if before.iter().any(|other| other.id() == key.id()) {
                let message = format!("the key of id {} was given twice", key.id());
                return Err(Failure::new(Exit::Usage, message).hint("give each key once"));
            }
        }
        let people: Vec<&Recipient> = self.all_recipients().collect();
        for (number, recipient) in people.iter().enumerate() {
            if people[..number].contains(recipient) {
                return Err(given_twice(recipient, None));
            }
        }
        let post_quantum = people.iter().filter(|person| person.is_post_quantum());
        let count = post_quantum.count();
        if count > 0 && count < people.len() {
            console.note(
                "some recipients are not post-quantum (age1..., not age1pq1...): a quantum \
                 computer of tomorrow opens the file by their slots",
            );
        }
        Ok(())
    }

    /// What a new slot will be locked with.
    pub(crate) fn for_new_slot(
        new: &NewKey,
        (old, limit): (&KeyArgs, &Limit),
        console: Console<'_>,
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

    /// What existing files, `first` before the others, may be unlocked with.
    pub(crate) fn for_opening(
        (keys, limit): (&KeyArgs, &Limit),
        first: &Path,
        console: Console<'_>,
    ) -> Result<Self, Failure> {
        Self::gather(
            (keys, limit),
            false,
            console,
            (|| prompt::passphrase(first), read_passphrase),
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
        (keys, limit): (&KeyArgs, &Limit),
        has_others: bool,
        console: Console<'_>,
        (ask, read): (impl FnOnce() -> Text, fn(&Path) -> Text),
        no_default_key: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let of_keys = keys.key_passphrase_file.as_deref().map(read_passphrase);
        let of_keys = of_keys.transpose()?;
        let of_keys = of_keys.map(|text| Passphrase::new(text.to_string()));
        let mut passphrases = KeyPassphrases::new(of_keys, limit.options());
        let mut read_key = |path: &Path| read_key(path, |sealed| passphrases.open(path, sealed));
        let (mut key_files, mut identities) = (Vec::new(), Vec::new());
        let files_of_passphrases = [&keys.passphrase_file, &keys.key_passphrase_file];
        let mut files: Vec<_> = files_of_passphrases
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        let mut keep = |path: &Path, key: OwnKey| {
            files.push(path.to_path_buf());
            match key {
                OwnKey::KeyFile(key) => {
                    console.detail(|| format!("using the key in {}, id {}", shown(path), key.id()));
                    key_files.push(key);
                }
                OwnKey::Identities(own) => {
                    console.detail(|| format!("using the identities in {}", shown(path)));
                    identities.extend(own);
                }
            }
        };
        for path in &keys.key {
            keep(path, read_key(path)?);
        }
        let passphrase = match &keys.passphrase_file {
            Some(path) => Some(read(path)?),
            None if keys.passphrase => Some(ask()?),
            None => None,
        };
        if passphrase.as_ref().is_some_and(|text| text.is_empty()) {
            let message = match &keys.passphrase_file {
                Some(path) => format!("{}: the passphrase is empty", shown(path)),
                None => "the passphrase is empty".to_owned(),
            };
            return Err(Failure::new(Exit::Key, message));
        }
        if keys.key.is_empty() && passphrase.is_none() && !has_others {
            if let Some(path) = key_of_environment()? {
                keep(&path, read_key(&path)?);
            } else {
                let path = default_key_path()?;
                let found = path
                    .try_exists()
                    .map_err(|error| Failure::io(&path, &error))?;
                if !found {
                    no_default_key(&path)?;
                }
                warn_of_default_key(&path);
                keep(&path, read_key(&path)?);
            }
        }
        Ok(Self {
            key_files,
            identities,
            recipients: Vec::new(),
            was_typed: passphrase.is_some() && keys.passphrase_file.is_none(),
            was_tried: false,
            passphrases: Vec::from_iter(passphrase.map(|text| Passphrase::new(text.to_string()))),
            files,
        })
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

    /// Says that sealing begins with a passphrase, if it does.
    pub(crate) fn tell_deriving(&self, progress: &Progress) {
        if !self.passphrases.is_empty() {
            progress.deriving();
        }
    }

    /// One lock for each key and passphrase.
    pub(crate) fn locks(&self) -> Vec<Lock<'_>> {
        let passphrase = self.passphrases.last();
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

    /// A lock for each slot of a header, as it says what opens these; `None` if a key or the
    /// passphrase of one is not here.
    pub(crate) fn locks_of(&self, header: &Header) -> Option<Vec<Lock<'_>>> {
        let lock = |slot| match slot {
            SlotInfo::KeyFile { id } => {
                let key = self.key_files.iter().find(|key| key.id() == id)?;
                Some(Lock::KeyFile(key))
            }
            SlotInfo::Passphrase { cost } => {
                let passphrase = self.passphrases.last()?;
                Some(Lock::Passphrase(passphrase, cost))
            }
            _ => None,
        };
        header.slots().map(lock).collect()
    }

    /// Every key that may fit, and the passphrase in use.
    pub(crate) fn unlocks(&self) -> Vec<Unlock<'_>> {
        let passphrase = self.passphrases.last().map(Unlock::Passphrase);
        self.key_files
            .iter()
            .map(Unlock::KeyFile)
            .chain(self.identities.iter().map(Unlock::Identity))
            .chain(passphrase)
            .collect()
    }

    /// Does `work`, which opens the file at `path`, with every key and each passphrase that
    /// opened another file; and with one typed anew as long as none fits.
    pub(crate) fn try_on<T>(
        &mut self,
        path: &Path,
        progress: &Progress,
        mut work: impl FnMut(&[Unlock<'_>]) -> Result<T, Error>,
    ) -> Result<Result<T, Error>, Failure> {
        let was_typed_for_this = self.was_typed && !self.was_tried;
        self.was_tried = true;
        let mut done = self.with_passphrase(progress, &mut work);
        for _ in 1..self.passphrases.len() {
            if !matches!(done, Err(Error::NoSlotOpens)) {
                break;
            }
            self.passphrases.rotate_right(1);
            done = self.with_passphrase(progress, &mut work);
        }
        let tries = if self.was_typed { TRIES } else { 0 };
        let mut is_refused = was_typed_for_this;
        for _ in usize::from(was_typed_for_this)..tries {
            if !matches!(done, Err(Error::NoSlotOpens)) {
                break;
            }
            let typed = progress.aside(|| match is_refused {
                true => prompt::passphrase_again(path),
                false => prompt::passphrase(path),
            })?;
            if is_refused {
                self.passphrases.pop();
            }
            self.passphrases.push(Passphrase::new(typed.to_string()));
            is_refused = true;
            done = self.with_passphrase(progress, &mut work);
        }
        if is_refused && matches!(done, Err(Error::NoSlotOpens)) {
            self.passphrases.pop();
        }
        Ok(done)
    }

    /// Does `work` with every key and the passphrase in use.
    fn with_passphrase<T>(
        &self,
        progress: &Progress,
        work: &mut impl FnMut(&[Unlock<'_>]) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if !self.passphrases.is_empty() {
            progress.deriving();
        }
        work(&self.unlocks())
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
        self.was_typed || !self.passphrases.is_empty()
    }
}

/// Refuses a recipient that was named before, and names the line of the file that it is in.
fn given_twice(recipient: &Recipient, place: Option<(&Path, usize)>) -> Failure {
    let place = place.map_or(String::new(), |(path, line)| {
        format!("{}: line {line}: ", shown(path))
    });
    let text = recipient.to_string();
    let message = format!("{place}the recipient {text:.20}... was given twice");
    Failure::new(Exit::Usage, message).hint("give each key once")
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
    Err(Failure::new(
        Exit::Usage,
        format!("{}: {message}", shown(target)),
    ))
}

impl KeyArgs {
    /// The files that are named.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let passphrases = [&self.passphrase_file, &self.key_passphrase_file];
        let named = self.key.iter().chain(passphrases.into_iter().flatten());
        named.map(PathBuf::as_path)
    }
}

impl Recipients {
    /// Everybody who was named.
    fn read(&self) -> Result<Vec<Recipient>, Failure> {
        let mut people = Vec::new();
        for text in &self.recipient {
            let named = text.parse().map_err(|error| {
                let message = format!("{text:.20}: {error}");
                Failure::new(Exit::Usage, message)
                    .hint("`sivka keygen --recipient` makes a recipient and its identity")
            })?;
            people.push(named);
        }
        for path in &self.recipients_file {
            for (line, person) in read_recipients(path)? {
                if people.contains(&person) {
                    return Err(given_twice(&person, Some((path, line))));
                }
                people.push(person);
            }
        }
        Ok(people)
    }
}
