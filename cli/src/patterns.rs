//! Entries of a folder by patterns, as lines of a `.gitignore` are read (gitignore(5)).

use std::cell::{Cell, RefCell};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::exit::Exit;
use crate::failure::{Failure, refuse_standard};
use crate::key_store::read_up_to;
use crate::name::{printable, shown, shown_name};

/// Patterns for paths below a folder. Of several that match, the last one counts, and one that
/// begins with `!` takes back what those before it say.
pub(crate) struct Patterns {
    patterns: Vec<Pattern>,
    /// Results for the last folder that was asked about, and for its parents: the entries of an
    /// archive come in order.
    folders: RefCell<Vec<(PathBuf, Option<bool>)>>,
}

struct Pattern {
    /// As it was given on the command line.
    given: Option<String>,
    is_negative: bool,
    folders_only: bool,
    /// The names on the way, each a glob; the first is `**` if it matches at any depth.
    names: Vec<Vec<u8>>,
    has_matched: Cell<bool>,
}

impl Patterns {
    /// The patterns of `files`, and then `lines`, which count more. They apply below the folder
    /// `root`, and may name it as tar and restic do: `./x`, `ROOT/x`, or an absolute path.
    pub(crate) fn new(
        lines: &[OsString],
        files: &[PathBuf],
        root: Option<&Path>,
    ) -> Result<Self, Failure> {
        let mut patterns = Vec::new();
        for file in files {
            let message = "patterns are read from files, not from standard input";
            refuse_standard(file, message)?;
            let opened = File::open(file).map_err(|error| Failure::io(file, &error))?;
            let text = read_up_to(file, opened, 1 << 20)?;
            let not_text = |_| Failure::new(Exit::Usage, format!("{}: not UTF-8", shown(file)));
            let text = str::from_utf8(&text).map_err(not_text)?;
            for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
                if line.starts_with('#') {
                    continue;
                }
                let mut end = line.trim_end_matches(' ');
                if end.ends_with('\\') && end.len() < line.len() {
                    end = &line[..=end.len()];
                }
                let failed = |why| malformed(&format!("{}: ", shown(file)), line, why);
                patterns.extend(Pattern::parse(end, root).map_err(failed)?);
            }
        }
        for line in lines {
            let text = line.to_str().ok_or("not UTF-8");
            let parsed = text.and_then(|text| Pattern::parse(text, root));
            let parsed = parsed.map_err(|why| malformed("", &shown_name(Path::new(line)), why))?;
            patterns.extend(parsed.map(|pattern| Pattern {
                given: Some(line.to_string_lossy().into_owned()),
                ..pattern
            }));
        }
        Ok(Self { patterns, folders: RefCell::default() })
    }

    /// The result for the entry itself at `path`, if a pattern matches it.
    fn own(&self, path: &Path, is_folder: bool) -> Option<bool> {
        let names: Vec<&[u8]> = path.iter().map(OsStr::as_encoded_bytes).collect();
        let matches = |pattern: &&Pattern| {
            (is_folder || !pattern.folders_only) && fits_names(&pattern.names, &names)
        };
        // All are asked, to know which of them match nothing.
        let mut found = None;
        for pattern in self.patterns.iter().filter(matches) {
            pattern.has_matched.set(true);
            found = Some(!pattern.is_negative);
        }
        found
    }

    /// Whether the entry itself matches. The content of a matching folder is never asked for.
    pub(crate) fn fits(&self, path: &Path, is_folder: bool) -> bool {
        self.own(path, is_folder).unwrap_or_default()
    }

    /// Whether the entry at `path` matches, or a folder that it is in.
    pub(crate) fn fits_or_is_within(&self, path: &Path, is_folder: bool) -> bool {
        let own = self.own(path, is_folder);
        let within = path.parent().and_then(|folder| self.within(folder));
        own.or(within).unwrap_or_default()
    }

    /// The result for a folder, or for the nearest matching folder around it. Each folder is asked
    /// about once, if its entries follow each other.
    fn within(&self, folder: &Path) -> Option<bool> {
        let mut known = self.folders.borrow_mut();
        while known.last().is_some_and(|(path, _)| !folder.starts_with(path)) {
            known.pop();
        }
        let names: Vec<&OsStr> = folder.iter().collect();
        for len in known.len() + 1..=names.len() {
            let path: PathBuf = names[..len].iter().collect();
            let around = known.last().and_then(|(_, said)| *said);
            let said = self.own(&path, true).or(around);
            known.push((path, said));
        }
        known.last().and_then(|(_, said)| *said)
    }

    /// Those of the command line that have matched nothing.
    pub(crate) fn unused(&self) -> impl Iterator<Item = &str> {
        let unused = self.patterns.iter().filter(|pattern| !pattern.has_matched.get());
        unused.filter_map(|pattern| pattern.given.as_deref())
    }
}

impl Pattern {
    /// `None` for a line that says nothing.
    fn parse(line: &str, root: Option<&Path>) -> Result<Option<Self>, &'static str> {
        let (is_negative, text) = match line.strip_prefix('!') {
            Some(text) => (true, text),
            None => (false, line),
        };
        let text = root.and_then(|root| below(text, root)).unwrap_or(text.to_owned());
        let path = text.strip_suffix('/').unwrap_or(&text);
        let folders_only = path.len() < text.len();
        if path.ends_with('\\') && !path.ends_with("\\\\") {
            return Err("it ends with a backslash, or with one before a slash");
        }
        if path.is_empty() {
            return Ok(None);
        }
        let mut names: Vec<Vec<u8>> = Vec::new();
        if !path.contains('/') {
            names.push(b"**".to_vec());
        }
        let path = path.strip_prefix('/').unwrap_or(path);
        for name in path.split('/') {
            if name.is_empty() {
                return Err("two slashes that follow each other");
            }
            check_brackets(name.as_bytes())?;
            names.push(name.into());
        }
        Ok(Some(Self {
            given: None,
            is_negative,
            folders_only,
            names,
            has_matched: Cell::new(false),
        }))
    }
}

/// A pattern that names the folder `root` itself, as one that begins there.
fn below(pattern: &str, root: &Path) -> Option<String> {
    let rooted = |rest: &Path| Some(format!("/{}{}", rest.to_str()?, end_of(pattern)));
    if let Some(rest) = pattern.strip_prefix("./") {
        return Some(format!("/{rest}"));
    }
    let path = Path::new(pattern);
    let real = fs::canonicalize(root).ok()?;
    for root in [root, &real] {
        if path.is_absolute()
            && let Ok(rest) = path.strip_prefix(root)
        {
            return rooted(rest);
        }
    }
    let name = real.file_name()?;
    match path.strip_prefix(name) {
        Ok(rest) if rest.iter().next().is_some() && !real.join(name).exists() => rooted(rest),
        _ => None,
    }
}

fn end_of(pattern: &str) -> &str {
    if pattern.ends_with('/') { "/" } else { "" }
}

/// Why a line, perhaps of a file, is no pattern.
fn malformed(from: &str, line: &str, why: &str) -> Failure {
    let message = format!("{from}the pattern '{}' is malformed: {why}", printable(line));
    Failure::new(Exit::Usage, message)
}

fn check_brackets(name: &[u8]) -> Result<(), &'static str> {
    let mut at = 0;
    while at < name.len() {
        at += match name[at] {
            b'\\' => 2,
            b'[' => Class::parse(&name[at..])?.len,
            _ => 1,
        };
    }
    Ok(())
}

/// Whether globs match all names of a path. As with stars in a name, only the last `**` tries to
/// match more.
fn fits_names(globs: &[Vec<u8>], names: &[&[u8]]) -> bool {
    let (mut g, mut n) = (0, 0);
    let mut last: Option<(usize, usize)> = None;
    while n < names.len() {
        match globs.get(g) {
            Some(glob) if glob == b"**" => {
                g += 1;
                last = Some((g, n));
                if g == globs.len() {
                    return true;
                }
            }
            Some(glob) if fits(glob, names[n]) => {
                g += 1;
                n += 1;
            }
            _ => match last {
                Some((after, from)) => {
                    last = Some((after, from + 1));
                    (g, n) = (after, from + 1);
                }
                None => return false,
            },
        }
    }
    // At the end, `**` matches everything below a folder, and not the folder itself.
    g == globs.len()
}

/// Whether a glob matches a name, byte for byte as in git. Each star tries no more than once to
/// match less.
fn fits(glob: &[u8], name: &[u8]) -> bool {
    let (mut g, mut n) = (0, 0);
    let mut last_star: Option<(usize, usize)> = None;
    while n < name.len() {
        let step = match glob.get(g) {
            Some(b'*') => {
                last_star = Some((g + 1, n));
                g += 1;
                continue;
            }
            Some(b'?') => Some(1),
            Some(b'\\') => (glob.get(g + 1) == Some(&name[n])).then_some(2),
            Some(b'[') => Class::parse(&glob[g..])
                .ok()
                .filter(|class| class.has(name[n]))
                .map(|class| class.len),
            Some(c) => (*c == name[n]).then_some(1),
            None => None,
        };
        match (step, last_star) {
            (Some(step), _) => {
                g += step;
                n += 1;
            }
            (None, Some((after, from))) => {
                last_star = Some((after, from + 1));
                (g, n) = (after, from + 1);
            }
            (None, None) => return false,
        }
    }
    glob[g..].iter().all(|c| *c == b'*')
}

/// Characters between brackets, all of ASCII: git takes others byte for byte.
struct Class {
    is_negative: bool,
    ranges: Vec<(u8, u8)>,
    /// How much of the glob it takes.
    len: usize,
}

impl Class {
    /// Patterns that begin with a bracket.
    fn parse(glob: &[u8]) -> Result<Self, &'static str> {
        let is_negative = matches!(glob.get(1), Some(b'!' | b'^'));
        let first = if is_negative { 2 } else { 1 };
        let (mut at, mut ranges) = (first, Vec::new());
        let character = |at: &mut usize| {
            *at += usize::from(glob.get(*at) == Some(&b'\\'));
            *at += 1;
            match glob.get(*at - 1) {
                None => Err("a bracket that is not closed"),
                Some(128..) => Err("a character outside of ASCII between brackets"),
                Some(byte) => Ok(*byte),
            }
        };
        while at == first || glob.get(at) != Some(&b']') {
            if glob.get(at) == Some(&b'[') && matches!(glob.get(at + 1), Some(b':' | b'.' | b'=')) {
                return Err("a class of characters between brackets, as [:alpha:]");
            }
            let from = character(&mut at)?;
            let is_range = glob.get(at) == Some(&b'-') && glob.get(at + 1) != Some(&b']');
            let to = match is_range {
                true => {
                    at += 1;
                    character(&mut at)?
                }
                false => from,
            };
            // Git takes the first character of a range by itself too.
            ranges.push((from, to.max(from)));
        }
        let len = at + 1;
        Ok(Self { is_negative, ranges, len })
    }

    fn has(&self, c: u8) -> bool {
        let mut ranges = self.ranges.iter();
        ranges.any(|(from, to)| (*from..=*to).contains(&c)) != self.is_negative
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(lines: &[&str], root: Option<&Path>) -> Patterns {
        let lines: Vec<OsString> = lines.iter().map(OsString::from).collect();
        Patterns::new(&lines, &[], root).expect("well-formed")
    }

    /// As `git check-ignore` says of each.
    #[test]
    fn patterns_match_as_lines_of_a_gitignore() {
        for (pattern, matching, others) in [
            ("*.tmp", &["a.tmp", "b/a.tmp"][..], &["a.tmp2", "tmp"][..]),
            ("/cache", &["cache"], &["a/cache"]),
            ("a/b", &["a/b"], &["c/a/b", "a/bc"]),
            ("**/b/c", &["b/c", "x/y/b/c"], &["c"]),
            ("a/**", &["a/x", "a/x/y"], &["a"]),
            ("a/**/z", &["a/z", "a/b/c/z"], &["z", "ab/z"]),
            ("a*b?c", &["axxbyc", "abxc"], &["abc", "a/bxc"]),
            ("[a-c]x", &["ax", "cx"], &["dx", "x"]),
            ("[!!]{a,b}", &["x{a,b}"], &["xa", "!{a,b}"]),
            ("[]-]", &["]", "-"], &["a"]),
            ("[\\]a]", &["]", "a"], &["\\"]),
            ("\\*", &["*"], &["a"]),
            ("\\!x", &["!x"], &["x"]),
            ("{a}", &["{a}"], &["a"]),
            ("**", &["a", "a/b"], &[]),
            ("?", &["a"], &["\u{fc}"]),
            ("[!a]", &["b"], &["a", "\u{fc}"]),
            ("[b-a]", &["b"], &["a"]),
            ("\u{fc}*", &["\u{fc}x"], &["u"]),
        ] {
            let patterns = patterns(&[pattern], None);
            for path in matching {
                assert!(patterns.fits(Path::new(path), false), "{pattern} {path}");
            }
            for path in others {
                assert!(!patterns.fits(Path::new(path), false), "{pattern} {path}");
            }
        }
        let folders = patterns(&["build/"], None);
        assert!(folders.fits(Path::new("a/build"), true));
        assert!(!folders.fits(Path::new("a/build"), false));
    }

    #[test]
    fn the_last_match_counts_and_folders_bring_what_is_in_them() {
        let patterns = patterns(&["d", "!*.raw", "nothing"], None);
        assert!(patterns.fits_or_is_within(Path::new("d/x/y.jpg"), false));
        assert!(!patterns.fits_or_is_within(Path::new("d/x/y.raw"), false));
        assert!(!patterns.fits_or_is_within(Path::new("e/y.jpg"), false));
        assert_eq!(patterns.unused().collect::<Vec<_>>(), ["nothing"]);
    }

    #[test]
    fn the_folder_itself_may_be_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().join("photos");
        fs::create_dir(&root).expect("made");
        let absolute = root.join("x/").display().to_string();
        for pattern in ["./x/", "photos/x/", &absolute] {
            let patterns = patterns(&[pattern], Some(&root));
            assert!(patterns.fits(Path::new("x"), true), "{pattern}");
            assert!(!patterns.fits(Path::new("a/x"), true), "{pattern}");
        }
        fs::create_dir(root.join("photos")).expect("made");
        let patterns = patterns(&["photos/x"], Some(&root));
        assert!(patterns.fits(Path::new("photos/x"), false));
    }

    #[test]
    fn a_malformed_pattern_is_named() {
        for pattern in "build\\/ a\\ a//b a// **// // [ [] [!] [[:alpha:]] [\u{fc}]".split(' ') {
            let failure = Patterns::new(&[pattern.into()], &[], None).map(drop);
            let failure = failure.expect_err(pattern);
            assert!(failure.message().contains(&format!("'{pattern}'")));
        }
    }

    /// The remembered results change no answer, in whatever order entries come.
    #[test]
    fn an_answer_depends_on_no_question_before() {
        let fresh = || patterns(&["d", "!d/k", "x/"], None);
        let paths = ["d/k/f", "e", "d/f", "d/k", "x/d", "d", "", "d/k/x/f"];
        let asked = fresh();
        for path in paths.iter().flat_map(|a| paths.iter().flat_map(move |b| [a, b])) {
            let alone = fresh().fits_or_is_within(Path::new(path), true);
            assert_eq!(asked.fits_or_is_within(Path::new(path), true), alone, "{path}");
        }
    }

    /// A hostile archive may have such names.
    #[test]
    fn many_stars_take_no_time() {
        let patterns = patterns(&[&format!("{}z", "*a".repeat(50))], None);
        assert!(!patterns.fits(Path::new(&"a".repeat(250)), false));
        let mut path = PathBuf::new();
        for _ in 0..1000 {
            path.push("a");
            assert!(!patterns.fits_or_is_within(&path, true));
        }
    }
}
