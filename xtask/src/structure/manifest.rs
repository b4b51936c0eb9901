//! A `Cargo.toml` as far as the rules need it: sections, keys and values.

/// One `key = value` of a manifest, under its section.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) section: String,
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) line: usize,
}

/// A manifest: where it stands and its entries in order.
#[derive(Debug)]
pub(crate) struct Manifest {
    pub(crate) path: String,
    pub(crate) entries: Vec<Entry>,
}

impl Manifest {
    pub(crate) fn parse(path: &str, text: &str) -> Self {
        let mut entries = Vec::new();
        let mut section = String::new();
        let mut lines = text.lines().enumerate();
        while let Some((index, line)) = lines.next() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix('[') {
                section = name.trim_matches(['[', ']']).to_owned();
            } else if let Some((key, value)) = line.split_once('=') {
                if line.starts_with('#') {
                    continue;
                }
                let mut value = value.trim().to_owned();
                // A list or table that goes on over several lines.
                while value.matches('[').count() > value.matches(']').count() {
                    let Some((_, more)) = lines.next() else { break };
                    value.push_str(more.trim());
                }
                entries.push(Entry {
                    section: section.clone(),
                    key: key.trim().trim_matches('"').to_owned(),
                    value,
                    line: index + 1,
                });
            }
        }
        Self {
            path: path.to_owned(),
            entries,
        }
    }

    /// The dependencies named in sections whose name ends in `kind`:
    /// `dependencies`, `dev-dependencies` or `build-dependencies`.
    pub(crate) fn dependencies<'a>(
        &'a self,
        kind: &'a str,
    ) -> impl Iterator<Item = Dependency<'a>> {
        self.entries.iter().filter_map(move |entry| {
            let section = entry.section.rsplit('.').next().unwrap_or_default();
            let parent = entry.section.rsplit('.').nth(1).unwrap_or_default();
            if section == kind {
                // `name.workspace = true` has the name before the dot.
                let name = entry.key.split('.').next().unwrap_or_default();
                Some(Dependency { name, entry })
            } else if parent == kind {
                // `[dependencies.name]`
                Some(Dependency {
                    name: section,
                    entry,
                })
            } else {
                None
            }
        })
    }

    /// The value of `key` in `section`.
    pub(crate) fn value(&self, section: &str, key: &str) -> Option<&str> {
        let found = self
            .entries
            .iter()
            .find(|e| e.section == section && e.key == key);
        found.map(|entry| entry.value.as_str())
    }
}

/// One line that concerns a dependency.
#[derive(Debug)]
pub(crate) struct Dependency<'a> {
    pub(crate) name: &'a str,
    pub(crate) entry: &'a Entry,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_dependency_is_seen() {
        let manifest = Manifest::parse(
            "x/Cargo.toml",
            "[dependencies]\na = \"1\"\nb.workspace = true\n[dependencies.c]\npath = \"../c\"\n\
             [target.'cfg(unix)'.dependencies]\nd = { version = \"1\" }\n[dev-dependencies]\ne = \"1\"\n",
        );
        let names: Vec<&str> = manifest
            .dependencies("dependencies")
            .map(|d| d.name)
            .collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
        let names: Vec<&str> = manifest
            .dependencies("dev-dependencies")
            .map(|d| d.name)
            .collect();
        assert_eq!(names, ["e"]);
    }
}
