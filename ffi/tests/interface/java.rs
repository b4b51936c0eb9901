//! What Java says of the C interface. Its functions are the shim's, with arguments of their own.

use crate::NOTE;
use crate::table::{Constant, Table};
use std::fmt::Write as _;

/// `Status.java`.
pub(crate) fn statuses(table: &Table) -> String {
    let mut text = format!(
        "// {NOTE}\npackage dev.sivka.internal;\n\n\
        /** What a native call answers: SIVKA_ERROR_* of {{@code sivka.h}}, which says more. */\n\
        final class Status {{\n"
    );
    for Constant { name, value, .. } in &table.statuses {
        writeln!(text, "    static final int {name} = {value};").unwrap();
    }
    let (first, last) = (table.misuse.start(), table.misuse.end());
    write!(
        text,
        "\n    private Status() {{}}\n\n    \
        /** The call was wrong, and will be wrong again. */\n    \
        static boolean isMisuse(int status) {{\n        \
        return status >= {first} && status <= {last};\n    }}\n}}\n"
    )
    .unwrap();
    text
}
