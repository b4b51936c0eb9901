//! What Java says of the C interface. Its functions are the shim's, with arguments of their own.

use crate::NOTE;
use crate::table::{Constant, Table};
use std::fmt::Write as _;

/// `Status.java`.
pub(crate) fn statuses(table: &Table) -> String {
    let mut text = start(
        "What a native call answers: SIVKA_ERROR_* of {@code sivka.h}.",
        "Status",
    );
    for status in &table.statuses {
        constant(&mut text, status);
    }
    let (first, last) = (table.misuse.start(), table.misuse.end());
    write!(
        text,
        "    private Status() {{}}\n\n    \
        /** The call was wrong, and will be wrong again. */\n    \
        static boolean isMisuse(int status) {{\n        \
        return status >= {first} && status <= {last};\n    }}\n}}\n"
    )
    .unwrap();
    text
}

/// `Constants.java`: flags, kinds and limits.
pub(crate) fn constants(table: &Table) -> String {
    let mut text = start("The other constants of {@code sivka.h}.", "Constants");
    for one in &table.constants {
        constant(&mut text, one);
    }
    text.push_str("    private Constants() {}\n}\n");
    text
}

fn start(about: &str, class: &str) -> String {
    format!("// {NOTE}\npackage dev.sivka.internal;\n\n/** {about} */\nfinal class {class} {{\n")
}

fn constant(text: &mut String, constant: &Constant) {
    let Constant { name, value, about } = constant;
    let about = about.replace('&', "&amp;").replace('<', "&lt;");
    writeln!(
        text,
        "    /** {about}. */\n    static final int {name} = {value};\n"
    )
    .unwrap();
}
