//! NuGet's packages without the name that it draws for one file of each.

use super::archive::{Content, Entry};
use crate::process::Failure;
use std::path::Path;

/// The folder of that file, and what it is called here.
const FOLDER: &str = "package/services/metadata/core-properties/";
const NAME: &str = "package/services/metadata/core-properties/properties.psmdcp";

/// The content of a package, the same for the same files in it.
pub(crate) fn settled(path: &Path) -> Result<Content, Failure> {
    let mut content = Content::of_zip(path)?;
    let drawn = content.iter().find(|(name, _)| name.starts_with(FOLDER));
    let drawn = drawn.map(|(name, _)| name.to_owned());
    let drawn = drawn.ok_or_else(|| Failure::new(format!("{}: no properties", path.display())))?;
    let properties = content.take(&drawn)?;
    content.add(NAME, Entry::File(properties));
    let relations = content.take("_rels/.rels")?;
    let relations = String::from_utf8_lossy(&relations).replace(&drawn, NAME);
    let relations = without_drawn_ids(&relations);
    content.add("_rels/.rels", Entry::File(relations.into_bytes()));
    Ok(content)
}

/// Numbers the relations, whose names are drawn as well.
fn without_drawn_ids(relations: &str) -> String {
    let mut parts = relations.split(" Id=\"");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (number, part) in (1..).zip(parts) {
        let rest = part.split_once('"').map_or("", |(_, rest)| rest);
        text.push_str(&format!(" Id=\"R{number}\"{rest}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::without_drawn_ids;

    #[test]
    fn relations_are_numbered() {
        let drawn = r#"<R Target="/a" Id="R12AB" /><R Target="/b" Id="R34CD" />"#;
        let wanted = r#"<R Target="/a" Id="R1" /><R Target="/b" Id="R2" />"#;
        assert_eq!(without_drawn_ids(drawn), wanted);
    }
}
