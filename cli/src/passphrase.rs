//! Passphrases: random words, and the rules for new ones.

use sivka_file::Error;
use zeroize::Zeroizing;

/// 7776 words, each with the five throws of a die that choose it (data/README.md).
const LIST: &str = include_str!("../data/eff_large_wordlist.txt");
const WORDS: u16 = 7776;

/// `count` words, each drawn with equal chances from the list, with a space between.
pub(crate) fn generate(count: u8) -> Result<Zeroizing<String>, Error> {
    let words: Vec<&str> = LIST.lines().filter_map(|line| line.split('\t').nth(1)).collect();
    // All of it at once: a buffer that grows leaves copies of a secret behind.
    let mut passphrase = Zeroizing::new(String::with_capacity(usize::from(count) * 16));
    for index in 0..count {
        if index > 0 {
            passphrase.push(' ');
        }
        passphrase.push_str(words[usize::from(draw()?)]);
    }
    Ok(passphrase)
}

/// Why a text is refused as a new passphrase: it has characters that cannot be typed everywhere.
/// For opening, any passphrase is taken.
pub(crate) fn check_new(text: &str) -> Result<(), &'static str> {
    if text.is_empty() {
        return Err("the passphrase is empty");
    }
    if text.contains(char::is_control) {
        return Err("a new passphrase may not have control characters, such as tabs or line feeds");
    }
    if text.starts_with('\u{feff}') {
        return Err("a new passphrase may not begin with a byte order mark");
    }
    Ok(())
}

/// The entropy of `count` words in bits, rounded down.
pub(crate) fn entropy_bits(count: u8) -> u32 {
    (f64::from(count) * f64::from(WORDS).log2()) as u32
}

/// A number below [`WORDS`].
fn draw() -> Result<u16, Error> {
    /// The largest multiple of [`WORDS`] that two bytes hold: numbers from it on would make
    /// the first words likelier.
    const LIMIT: u16 = u16::MAX / WORDS * WORDS;
    loop {
        let mut bytes = Zeroizing::new([0; 2]);
        getrandom::fill(&mut *bytes).map_err(|_| Error::Random)?;
        let number = u16::from_ne_bytes(*bytes);
        if number < LIMIT {
            return Ok(number % WORDS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_list_is_whole() {
        let words: HashSet<&str> = LIST.lines().map(|line| &line[6..]).collect();
        assert_eq!(words.len(), usize::from(WORDS));
        for (number, line) in LIST.lines().enumerate() {
            let mut throws = number;
            let dice: String = (0..5)
                .map(|_| {
                    let throw = char::from(b'1' + (throws % 6) as u8);
                    throws /= 6;
                    throw
                })
                .collect();
            assert!(line.starts_with(&dice.chars().rev().collect::<String>()), "{line}");
            // A space between words ends each of them, and 16 bytes hold both.
            assert!(line.len() < 6 + 16 && !line.contains(' '), "{line}");
        }
    }

    #[test]
    fn words_are_drawn_from_all_of_the_list() {
        // 40 bins of 7776 / 40 words: below 1700 or above 2300 of 80,000 is 7 sigma off.
        let mut bins = [0; 40];
        for _ in 0..80_000 {
            bins[usize::from(draw().expect("random bytes")) * 40 / usize::from(WORDS)] += 1;
        }
        assert!(bins.iter().all(|count| (1700..2300).contains(count)), "{bins:?}");
    }

    #[test]
    fn what_cannot_be_typed_everywhere_is_no_new_passphrase() {
        for text in ["", "a\tb", "a\nb", "\0", "a\x1b[A", "a\x7f", "\u{85}", "\u{feff}a"] {
            assert!(check_new(text).is_err(), "{text:?}");
        }
        for text in [" ", " a ", "\u{fffd}", "\u{e9}", "a\u{a0}b"] {
            assert!(check_new(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn entropy_is_not_overstated() {
        assert_eq!((entropy_bits(1), entropy_bits(8), entropy_bits(50)), (12, 103, 646));
        let passphrase = generate(50).expect("random bytes");
        assert_eq!(passphrase.split(' ').count(), 50);
    }
}
