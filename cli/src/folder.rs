//! Packing and unpacking folders, and reporting the result.

mod reading;

use std::cell::RefCell;
use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sivka_file::folder::Entries as Archive;
use sivka_file::folder::{self, Error, Named, NotRestored, Pack, ReadSeek, Unpack, Unpacked, Why};
use sivka_file::{read_ahead, write_behind};

use crate::args::Seal;
use crate::console::Console;
use crate::copy::Counted;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::interrupt::{Unfinished, unfinished};
use crate::name::{shown, shown_name};
use crate::output::Output;
use crate::patterns::Patterns;
use crate::run::{Entries, NamedEntry};

pub(crate) use reading::{judge, list, one_file, pass};

/// Device and inode.
type Id = (u64, u64);

/// Patterns of entries that are left out. They apply to the folder at `root`.
pub(crate) fn excluded(args: &Seal, root: Option<&Path>) -> Result<Patterns, Failure> {
    Patterns::new(&args.exclude, &args.exclude_from, root)
}

/// The result under way, and the file that it replaces: both may be in the folder.
pub(crate) fn files_of_run(output: &mut Output) -> Vec<Id> {
    let replaced = fs::metadata(output.name()).ok();
    let under_way = output.file().and_then(|file| file.metadata()).ok();
    let id = |found: fs::Metadata| (found.dev(), found.ino());
    under_way.into_iter().chain(replaced).map(id).collect()
}

/// Writes the folder at `root` to `to`, which goes to the file `target`. Headers have the `mark`.
/// Returns the length of the archive, its entries, and whether something was left out.
pub(crate) fn pack(
    args: &Seal,
    root: &Path,
    own: &[Id],
    (to, mark): (&mut (dyn Write + Send), [u8; 8]),
    (target, console): (&Path, &Console),
) -> Result<(u64, Option<Entries>, bool), Failure> {
    let patterns = excluded(args, Some(root))?;
    let select = |path: &Path, found: Option<&fs::Metadata>| {
        if patterns.fits(path, found.is_some_and(fs::Metadata::is_dir)) {
            console.detail(|| format!("{}: is excluded", shown(&root.join(path))));
            return false;
        }
        !found.is_some_and(|found| own.contains(&(found.dev(), found.ino())))
    };
    let step = |path: &Path| {
        console.detail(|| format!("packing {}", shown(&root.join(path))));
    };
    let mut options = Pack::default();
    options.select = &select;
    options.step = &step;
    (options.attributes, options.mark) = (!args.no_xattrs, mark);
    let mut len = 0;
    let pack = |to: &mut dyn Write| {
        let mut counted = Counted::new(to, console);
        let packed = folder::pack(root, &mut counted, &options);
        len = counted.len;
        packed
    };
    let packed = write_behind(to, pack).map_err(|error| match error {
        Error::Archive(error) => Failure::content(target, error),
        error => failure(root, target, error),
    })?;
    let is_partial = !packed.named.is_empty();
    let (left_out, named) = tell(console, root, packed.named, usize::MAX);
    for pattern in patterns.unused() {
        console.note(&format!("{}: nothing in it matches --exclude {pattern}", shown(root)));
    }
    Ok((len, Some(Entries { entries: packed.entries, left_out, named }), is_partial))
}

/// About how many bytes of files are in a folder.
pub(crate) fn len(root: &Path, excluded: &Patterns) -> Option<u64> {
    let (mut folders, mut len) = (vec![PathBuf::new()], 0);
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else {
            continue; // It is named when it is packed.
        };
        for entry in entries.flatten() {
            let path = folder.join(entry.file_name());
            let Ok(found) = entry.metadata() else {
                continue;
            };
            match (excluded.fits(&path, found.is_dir()), found.is_dir()) {
                (true, _) => {}
                (false, true) => folders.push(path),
                (false, false) => len += found.len(),
            }
        }
    }
    Some(len)
}

/// The entries of a sealed folder to unpack, and the target.
pub(crate) struct Wanted<'a> {
    /// The sealed file.
    pub(crate) path: &'a Path,
    pub(crate) target: &'a Path,
    pub(crate) only: Option<&'a Patterns>,
    pub(crate) attributes: bool,
    /// Damaged files of a folder that is salvaged as well.
    pub(crate) partial: bool,
    /// Whether owners that are not restored are told of.
    pub(crate) owners_matter: bool,
}

/// Unpacks an archive. With `lost`, these bytes of it are lost, its headers have this mark, and
/// only whole entries are unpacked. Reports the missing entries, and returns whether everything is there.
pub(crate) fn unpack(
    (content, is_seekable): (&mut dyn ReadSeek, bool),
    lost: Option<(&[Range<u64>], [u8; 8])>,
    wanted: &Wanted<'_>,
    console: &Console,
) -> Result<(Unpacked, Entries, bool), Failure> {
    let path = wanted.path;
    let select = |path: &Path, is_folder: bool| {
        let is_wanted = (wanted.only).is_none_or(|only| only.fits_or_is_within(path, is_folder));
        if is_wanted {
            console.detail(|| format!("unpacking {}", shown(&wanted.target.join(path))));
        }
        is_wanted
    };
    let temporary = RefCell::new(None);
    let strike_off = |unfinished: &mut Unfinished| {
        let temporary = temporary.take();
        unfinished.paths.retain(|listed| Some(listed) != temporary.as_ref());
    };
    let hold = |naming: folder::Naming<'_>| {
        unfinished(|unfinished| {
            let made = naming()?;
            strike_off(unfinished);
            unfinished.paths.extend(made.clone());
            *temporary.borrow_mut() = made;
            Ok(())
        })
    };
    let mut options = Unpack::default();
    options.select = &select;
    options.attributes = wanted.attributes;
    options.partial = wanted.partial;
    options.hold = &hold;
    let mut content = content;
    let unpack = |archive: Result<Archive<'_>, Error>| {
        archive.and_then(|archive| folder::unpack(archive, wanted.target, &options))
    };
    let unpacked = match lost {
        Some((lost, mark)) => unpack(Archive::damaged(&mut content, lost, mark)),
        // A pipe is read once, and may wait for ever.
        None if !is_seekable => unpack(Ok(Archive::new(&mut content))),
        None if wanted.only.is_some() => unpack(Archive::seekable(&mut content)),
        None => read_ahead(content, |mut content| unpack(Ok(Archive::new(&mut content)))),
    };
    // After a failure it is removed by now.
    unfinished(strike_off);
    let mut unpacked = unpacked.map_err(|error| {
        let nothing = matches!(error, Error::Malformed(..));
        let failure = failure(path, wanted.target, error);
        match nothing {
            true => failure.with("nothing was unpacked"),
            false => failure,
        }
    })?;
    if wanted.only.is_some() && unpacked.entries <= 1 && unpacked.named.is_empty() {
        // Nothing but the folder itself was made.
        let _ = fs::remove_dir(wanted.target);
        return Err(nothing_matches(path));
    }
    let named = std::mem::take(&mut unpacked.named);
    let (left_out, named) = tell(console, wanted.target, named, 10);
    let is_whole = tell_not_restored(console, wanted, &unpacked.not_restored) && named.is_empty();
    let entries = Entries { entries: unpacked.entries, left_out, named };
    Ok((unpacked, entries, is_whole))
}

fn nothing_matches(path: &Path) -> Failure {
    let message = format!("{}: nothing in it matches --only", shown(path));
    Failure::new(Exit::Usage, message).hint("`sivka list` without --only shows what is in it")
}

/// Names what something is missing of, at most so many on the terminal.
fn tell(console: &Console, root: &Path, named: Vec<Named>, most: usize) -> (u64, Vec<NamedEntry>) {
    let most = if console.verbose { usize::MAX } else { most };
    let mut left_out = 0;
    let tell_one = |Named { path, why, .. }| {
        let is_there = matches!(why, Why::Changed | Why::Attributes(_) | Why::Records);
        let what = match &why {
            Why::Unreadable(error) => format!("cannot be read: {}", reason(error)),
            Why::Refused(error) => format!("cannot be made here: {}", reason(error)),
            Why::OtherName(first) => {
                let first = shown_name(first);
                format!("is another name of {first}, which is not here")
            }
            why => why.to_string(),
        };
        left_out += u64::from(!is_there);
        let end = if is_there { "" } else { ", and left out" };
        NamedEntry(path, what + end)
    };
    let named: Vec<_> = named.into_iter().map(tell_one).collect();
    for NamedEntry(path, what) in named.iter().take(most) {
        console.note(&format!("{}: {what}", shown(&root.join(path))));
    }
    let root = shown(root);
    match (left_out, named.len().saturating_sub(most)) {
        (0, 0) => {}
        (1, 0) => console.note(&format!("{root}: 1 entry was left out")),
        (n, 0) => console.note(&format!("{root}: {n} entries were left out")),
        (n, m) => console.note(&format!("{root}: {n} entries were left out; {m} are not named")),
    }
    (left_out, named)
}

/// Reports the properties of entries that were not restored, and returns whether all were.
fn tell_not_restored(console: &Console, wanted: &Wanted<'_>, missing: &NotRestored) -> bool {
    let owners = match wanted.owners_matter || console.verbose {
        true => missing.owners,
        false => 0,
    };
    let mut parts = Vec::new();
    for (what, count) in [
        ("owners", owners),
        ("modes", missing.modes),
        ("times", missing.times),
        ("attributes", missing.attributes),
    ] {
        match count {
            0 => {}
            1 => parts.push(format!("{what} of 1 entry")),
            _ => parts.push(format!("{what} of {count} entries")),
        }
    }
    if !parts.is_empty() {
        let first = missing.first_attribute.as_ref().map(|(name, error)| {
            let name = shown_name(Path::new(name));
            format!(" (the first is {name}: {})", reason(error))
        });
        let (target, first) = (shown(wanted.target), first.unwrap_or_default());
        let parts = parts.join(", ");
        console.note(&format!("{target}: not restored: {parts}{first}"));
    }
    missing.owners + missing.modes + missing.times + missing.attributes == 0
}

/// The failure to pack or unpack a folder: `path` was read, `target` was written.
fn failure(path: &Path, target: &Path, error: Error) -> Failure {
    match error {
        Error::Malformed(..) => Failure::new(Exit::Malformed, format!("{}: {error}", shown(path))),
        Error::Archive(error) => Failure::content(path, error),
        Error::Path(path, error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let message = format!("{}: exists, and a folder replaces nothing", shown(&path));
            Failure::new(Exit::Exists, message).hint("name another target with -o")
        }
        Error::Path(path, error) => Failure::io(&path, &error),
        error => Failure::new(Exit::Io, format!("{}: {error}", shown(target))),
    }
}
