//! Styles do as they say. The program that draws them checks that every pair comes.

use super::*;

const PARTS: Parts = Parts { nonce_len: 12, first_byte_mask: 0x7f, tag_len: 16 };

/// Some groups of this shape.
const GROUPS: Shape = Shape { count: Count::Groups, ..Shape::PLAIN };

/// Messages of a shape, from some seeds.
fn drawn(shape: Shape) -> impl Iterator<Item = Messages> {
    (0..300).map(move |seed| Messages::draw(shape, PARTS, &mut SplitMix64::new(seed)))
}

/// Messages of any shape, from as many seeds.
fn any(seeds: u64) -> impl Iterator<Item = Messages> {
    (0..seeds).map(|seed| {
        let mut source = SplitMix64::new(seed);
        let shape = Shape::draw(PARTS, &mut source);
        Messages::draw(shape, PARTS, &mut source)
    })
}

/// The lengths of runs of equal values.
fn runs<T: PartialEq>(values: &[T]) -> Vec<usize> {
    values.chunk_by(|a, b| a == b).map(<[T]>::len).collect()
}

fn with_text(text: LengthStyle) -> impl Iterator<Item = Vec<usize>> {
    let all = drawn(Shape { text, ..GROUPS });
    all.map(|messages| messages.texts.strings().map(<[u8]>::len).collect())
}

#[test]
fn lengths_are_of_their_style() {
    assert!(with_text(LengthStyle::Equal).all(|lens| runs(&lens).len() == 1));
    assert!(with_text(LengthStyle::Equal).any(|lens| lens[0] > 0));
    assert!(with_text(LengthStyle::Empty).all(|lens| lens.iter().all(|len| *len == 0)));
    assert!(with_text(LengthStyle::Rising).all(|lens| lens.is_sorted()));
    assert!(with_text(LengthStyle::Falling).all(|lens| lens.iter().rev().is_sorted()));
    for mut lens in with_text(LengthStyle::Outlier) {
        lens.sort_unstable();
        let runs = runs(&lens);
        assert!(runs.len() == 2 && runs.contains(&1), "{runs:?}");
    }
    let seen: Vec<usize> = with_text(LengthStyle::Boundary).flatten().collect();
    for len in [0, 1, 15, 16, 17, 63, 64, 65, 256, 257, 512, 513, 2048, 4097] {
        assert!(seen.contains(&len), "{len}");
    }
    let most = with_text(LengthStyle::Independent).map(|lens| runs(&lens).into_iter().max());
    assert!(most.flatten().max() < Some(20));
    let seen: Vec<usize> = with_text(LengthStyle::Runs).flat_map(|lens| runs(&lens)).collect();
    assert!((1..=65).all(|run| seen.contains(&run)));
}

/// A defect that a thousand million messages did not show: many empty AADs, then others.
#[test]
fn groups_without_aad_come_before_groups_with_it() {
    let aad = LengthStyle::Gaps;
    let found = drawn(Shape { aad, ..GROUPS }).filter(|messages| {
        let list = messages.aad_list();
        let mut groups = list.chunk_by(|a, b| a.is_empty() == b.is_empty());
        let first = groups.position(|group| group.len() >= 32 && group[0].is_empty());
        first.is_some() && groups.next().is_some()
    });
    assert!(found.count() > 100);
}

#[test]
fn a_forger_changes_what_the_style_says() {
    for messages in any(3000) {
        let forged = messages.forged();
        for (i, (was, is)) in messages.jobs().zip(forged.jobs()).enumerate() {
            let part = was.forgery.map(|forgery| forgery.part);
            let (mut text, mut tag) = (was.text.to_vec(), [0; 16]);
            if let Some(forgery) = was.forgery {
                forgery.flip(Part::Text, &mut text);
                forgery.flip(Part::Tag, &mut tag);
                let left = forgery.left(60 + text.len());
                assert!(left <= 28 + text.len() || part != Some(Part::Length));
            }
            let flipped: u32 = tag.iter().map(|byte| byte.count_ones()).sum();
            let changed = [was.nonce != is.nonce, was.aad != is.aad, was.text != text];
            let expected = [Part::Nonce, Part::Aad, Part::Text].map(|of| part == Some(of));
            assert_eq!(changed, expected, "{i} of {messages:?}");
            let is_tag = matches!(part, Some(Part::Tag | Part::Length));
            assert_eq!((was.text, flipped), (is.text, u32::from(is_tag)));
        }
        let forgeries = messages.forgeries.iter().flatten().count();
        match messages.shape.forged {
            Forged::None => assert_eq!(forgeries, 0),
            Forged::All => assert_eq!(forgeries, messages.len()),
            Forged::One => assert_eq!(forgeries, messages.len().min(1)),
            _ => {}
        }
    }
}

#[test]
fn nonces_are_of_their_style() {
    let all = |nonce| drawn(Shape { nonce, ..GROUPS });
    let with = |nonce| all(nonce).map(|messages| messages.nonces.as_chunks::<12>().0.to_vec());
    let low = |nonce: &[u8; 12]| u64::from_be_bytes(nonce[4..].try_into().expect("8 bytes"));
    assert!(with(NonceStyle::Counter).all(|nonces| {
        let mut pairs = nonces.windows(2);
        pairs.all(|pair| low(&pair[0]).wrapping_add(1) == low(&pair[1]))
    }));
    assert!(with(NonceStyle::Equal).all(|nonces| runs(&nonces).len() == 1));
    assert!(with(NonceStyle::Runs).any(|nonces| runs(&nonces).contains(&33)));
    let mut distinct = with(NonceStyle::Distinct).chain(with(NonceStyle::Random));
    assert!(distinct.all(|nonces| nonces.iter().all(|nonce| nonce[0] < 0x80)));
    let mut boundary = with(NonceStyle::Boundary).flatten();
    assert!(boundary.any(|nonce| nonce[0] == 0xff));
}

#[test]
fn the_order_is_that_of_whole_messages() {
    let of = |order, seed| {
        let shape = Shape {
            order,
            text: LengthStyle::Rising,
            aad: LengthStyle::Falling,
            nonce: NonceStyle::Distinct,
            ..Shape::PLAIN
        };
        let messages = Messages::draw(shape, PARTS, &mut SplitMix64::new(seed));
        let whole = messages.jobs();
        let whole = whole.map(|job| (job.nonce.to_vec(), job.text.len(), job.aad.len()));
        whole.collect::<Vec<_>>()
    };
    for seed in 0..20 {
        let (mut drawn, mut reversed) = (of(Order::Drawn, seed), of(Order::Reversed, seed));
        reversed.reverse();
        assert_eq!(drawn, reversed);
        let mut shuffled = of(Order::Shuffled, seed);
        assert_ne!(drawn, shuffled);
        shuffled.sort_unstable();
        drawn.sort_unstable();
        assert_eq!(drawn, shuffled);
    }
}

#[test]
fn columns_have_their_nulls_gaps_and_bases() {
    for messages in any(2000) {
        let column = messages.column(messages.texts.strings());
        assert_eq!(column.len(), messages.len());
        assert_eq!(column.offsets[0] == 0, messages.shape.base == Base::Zero);
        assert!(column.is_framed() && messages.texts.is_framed());
        let bitmap = messages.bitmap();
        for (i, job) in messages.jobs().enumerate() {
            let bit = messages.first_bit + i;
            let is_set = |bitmap: &Vec<u8>| bitmap[bit / 8] >> (bit % 8) & 1 == 1;
            assert_eq!(bitmap.as_ref().is_none_or(is_set), !job.is_null);
            let is_there = !job.is_null || messages.shape.gaps == Gaps::Bytes;
            assert_eq!(column.get(i), if is_there { job.text } else { &[] });
        }
    }
}

#[test]
fn the_seed_that_is_told_makes_the_same_messages() {
    for messages in any(9) {
        let seed = messages.seed.expect("a seed");
        let again = Messages::draw(messages.shape, PARTS, &mut SplitMix64::new(seed));
        let both = [&messages, &again].map(|all| (&all.texts, &all.aads, &all.nonces, all.shape));
        assert_eq!(both[0], both[1]);
    }
}
