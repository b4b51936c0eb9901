//! Recovering what is intact of a damaged file.

use std::fmt::Write as _;

use crate::args::Salvage;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
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
    let input = Input::open(path)?;
    let mut output = Output::create(&args.output, input.permissions(), args.force)?;
    let secrets = Secrets::for_opening(&args.keys)?;
    let progress = Progress::start(&shown(path), input.plaintext_len(), args.quiet);
    let mut losses = String::new();
    let found = sivka_file::salvage(
        &input.file,
        output.file(),
        &secrets.unlocks(),
        &args.limit.options(),
        |lost| {
            let _ = writeln!(losses, "lost: bytes {} to {}", lost.start, lost.end - 1);
        },
        |bytes| progress.at(bytes),
    )
    .map_err(|error| refused(path, output.name(), &secrets, &error))?;
    drop(progress);
    output.commit()?;
    if found.end_is_missing {
        let end = found.intact_len + found.lost_len;
        let _ = writeln!(
            losses,
            "lost: everything from byte {end} on, if there was more"
        );
    }
    print(losses.as_bytes())?;
    if found.is_whole() {
        return Ok(());
    }
    let message = format!(
        "{}: damaged: {} recovered, {} lost",
        shown(path),
        size(found.intact_len),
        size(found.lost_len)
    );
    Err(Failure::new(Exit::Damaged, message)
        .hint(format!("{} is not what was sealed", shown(&args.output))))
}
