//! Recovering what is intact of a damaged file.

use std::fmt::Write as _;
use std::io::Seek;

use crate::args::Salvage;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Input, total_content_len};
use crate::keys::Secrets;
use crate::name::{is_standard, shown};
use crate::output::{Output, print};
use crate::progress::{Progress, size};
use crate::refusal::refused;

pub(crate) fn salvage(args: &Salvage) -> Result<(), Failure> {
    let path = &args.file;
    if is_standard(&args.output) {
        return Err(Failure::new(
            Exit::Usage,
            "standard output is for the list of what is lost",
        )
        .hint("name a file with -o"));
    }
    let input = Input::open_sealed(path)?;
    // Before a passphrase is asked for: a pipe cannot be read by position.
    (&input.file)
        .rewind()
        .map_err(|error| Failure::io(path, &error))?;
    let mut output = Output::create(&args.output, input.permissions(), args.force)?;
    let mut secrets = Secrets::for_opening(&args.keys, path)?;
    let progress = Progress::start(args.quiet, || total_content_len(std::slice::from_ref(path)));
    progress.next(&shown(path));
    let mut losses = String::new();
    let salvaged = secrets.try_on(path, &progress, |keys| {
        (&input.file).rewind().map_err(sivka_file::Error::Read)?;
        sivka_file::salvage(
            &input.file,
            output.file(),
            keys,
            &args.limit.options(),
            |lost| {
                let _ = writeln!(losses, "lost: bytes {} to {}", lost.start, lost.end - 1);
            },
            |bytes| progress.at(bytes),
        )
    })?;
    let found =
        salvaged.map_err(|error| refused(path, output.name(), input.head(), &secrets, &error))?;
    drop(progress);
    output.commit()?;
    if found.plaintext_len.is_none() {
        let end = found.intact_len + found.lost_len;
        let _ = writeln!(
            losses,
            "lost: everything from byte {end} on, if there was more"
        );
    }
    print(losses.as_bytes())?;
    match found.refusal() {
        None => Ok(()),
        Some(error) => Err(verdict(args, &found, &error)),
    }
}

/// What is wrong, as `verify` says it and with its exit status, and what that means for
/// the output.
fn verdict(args: &Salvage, found: &sivka_file::Salvage, error: &sivka_file::Error) -> Failure {
    let (path, output) = (&args.file, &args.output);
    let recovered = size(found.intact_len);
    let outcome = match (found.content_is_whole(), found.plaintext_len) {
        (true, _) => format!("all of the content was recovered, {recovered}"),
        (false, Some(_)) => format!("{recovered} recovered, {} lost", size(found.lost_len)),
        (false, None) if found.lost_len == 0 => {
            format!("{recovered} recovered; how much is lost is not known")
        }
        (false, None) => format!(
            "{recovered} recovered, at least {} lost",
            size(found.lost_len)
        ),
    };
    let failure = Failure::file(path, output, error).with(&outcome);
    if found.content_is_whole() {
        return failure.hint(format!(
            "{} is what was sealed: seal it again",
            shown(output)
        ));
    }
    failure.hint(format!("{} is not what was sealed", shown(output)))
}
