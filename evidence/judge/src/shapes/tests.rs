//! Styles are what they say, and all of them come.

use super::*;

const PARTS: Parts = Parts {
    nonce_len: 12,
    first_byte_mask: 0x7f,
    tag_len: 16,
};

/// Messages of a shape, from some seeds.
fn drawn(shape: Shape) -> impl Iterator<Item = Messages> {
    (0..300).map(move |seed| Messages::draw(shape, PARTS, &mut SplitMix64::new(seed)))
}

fn text_lens(messages: &Messages) -> Vec<usize> {
    messages.texts.strings().map(<[u8]>::len).collect()
}

/// The lengths of runs of equal values.
fn runs<T: PartialEq>(values: &[T]) -> Vec<usize> {
    values.chunk_by(|a, b| a == b).map(<[T]>::len).collect()
}

fn with_text(text: LengthStyle) -> impl Iterator<Item = Vec<usize>> {
    let shape = Shape {
        text,
        count: Count::Groups,
        ..Shape::PLAIN
    };
    drawn(shape).map(|messages| text_lens(&messages))
}

#[test]
fn lengths_are_of_their_style() {
    assert!(with_text(LengthStyle::Equal).all(|lens| runs(&lens).len() == 1));
    assert!(with_text(LengthStyle::Equal).any(|lens| lens[0] > 0));
    assert!(with_text(LengthStyle::Empty).all(|lens| lens.iter().all(|len| *len == 0)));
    assert!(with_text(LengthStyle::Rising).all(|lens| lens.is_sorted()));
    assert!(with_text(LengthStyle::Falling).all(|lens| lens.iter().rev().is_sorted()));
    for lens in with_text(LengthStyle::Outlier) {
        let mut sorted = lens;
        sorted.sort_unstable();
        let runs = runs(&sorted);
        assert!(runs.len() == 2 && runs.contains(&1), "{runs:?}");
    }
    let mut seen: Vec<usize> = with_text(LengthStyle::Boundary).flatten().collect();
    seen.sort_unstable();
    seen.dedup();
    for len in [0, 1, 15, 16, 17, 63, 64, 65, 256, 257, 512, 513, 2048, 4097] {
        assert!(seen.contains(&len), "{len}");
    }
    let most = with_text(LengthStyle::Independent).map(|lens| runs(&lens).into_iter().max());
    assert!(most.flatten().max() < Some(20));
}

#[test]
fn runs_are_as_long_as_groups_and_one_more() {
    let all: Vec<usize> = with_text(LengthStyle::Runs)
        .flat_map(|lens| runs(&lens))
        .collect();
    for run in 1..=65 {
        assert!(all.contains(&run), "{run}");
    }
}

/// What went unseen for a thousand million messages: many empty AADs, then others.
#[test]
fn groups_without_aad_come_before_groups_with_it() {
    let gaps = Shape {
        aad: LengthStyle::Gaps,
        count: Count::Groups,
        ..Shape::PLAIN
    };
    let found = drawn(gaps).filter(|messages| {
        let list = messages.aad_list();
        let mut groups = list.chunk_by(|a, b| a.is_empty() == b.is_empty());
        let first = groups.position(|group| group.len() >= 32 && group[0].is_empty());
        first.is_some() && groups.next().is_some()
    });
    assert!(found.count() > 100);
}

#[test]
fn a_forger_changes_what_the_style_says() {
    for seed in 0..3000 {
        let mut source = SplitMix64::new(seed);
        let shape = Shape::draw(PARTS, &mut source);
        let messages = Messages::draw(shape, PARTS, &mut source);
        let forged = messages.forged();
        for (i, (was, is)) in messages.jobs().zip(forged.jobs()).enumerate() {
            assert_eq!(was.text, is.text);
            let part = was.forgery.map(|forgery| forgery.part);
            assert_eq!(
                was.nonce != is.nonce,
                part == Some(Part::Nonce),
                "{i} of {messages:?}"
            );
            assert_eq!(
                was.aad != is.aad,
                part == Some(Part::Aad),
                "{i} of {messages:?}"
            );
            let (mut text, mut tag) = (was.text.to_vec(), [0; 16]);
            if let Some(forgery) = was.forgery {
                forgery.flip(Part::Text, &mut text);
                forgery.flip(Part::Tag, &mut tag);
                assert!(
                    forgery.left(60 + text.len()) <= 28 + text.len() || part != Some(Part::Length)
                );
            }
            assert_eq!(was.text != text, part == Some(Part::Text));
            let is_tag = matches!(part, Some(Part::Tag | Part::Length));
            assert_eq!(
                tag.iter().map(|byte| byte.count_ones()).sum::<u32>(),
                u32::from(is_tag)
            );
        }
        let forgeries = messages.forgeries.iter().flatten().count();
        match shape.forged {
            Forged::None => assert_eq!(forgeries, 0),
            Forged::All => assert_eq!(forgeries, messages.len()),
            Forged::One => assert_eq!(forgeries, messages.len().min(1)),
            _ => {}
        }
    }
}

#[test]
fn nonces_are_of_their_style() {
    let nonces = |nonce| {
        let shape = Shape {
            nonce,
            count: Count::Groups,
            ..Shape::PLAIN
        };
        drawn(shape).map(|messages| messages.nonces.as_chunks::<12>().0.to_vec())
    };
    let mut counted = nonces(NonceStyle::Counter);
    let number = |nonce: &[u8; 12]| {
        nonce[4..]
            .iter()
            .fold(0_u64, |n, byte| n << 8 | u64::from(*byte))
    };
    assert!(counted.all(|nonces| {
        nonces
            .windows(2)
            .all(|pair| number(&pair[0]).wrapping_add(1) == number(&pair[1]))
    }));
    assert!(nonces(NonceStyle::Equal).all(|nonces| runs(&nonces).len() == 1));
    assert!(nonces(NonceStyle::Runs).any(|nonces| runs(&nonces).len() > 1));
    assert!(nonces(NonceStyle::Runs).any(|nonces| runs(&nonces).contains(&33)));
    for style in [
        NonceStyle::Distinct,
        NonceStyle::Random,
        NonceStyle::Counter,
    ] {
        assert!(nonces(style).flatten().all(|nonce| nonce[0] < 0x80));
    }
    assert!(
        nonces(NonceStyle::Boundary)
            .flatten()
            .any(|nonce| nonce[0] == 0xff)
    );
}

#[test]
fn the_order_is_that_of_whole_messages() {
    let of = |order, seed| {
        let shape = Shape {
            order,
            text: LengthStyle::Rising,
            aad: LengthStyle::Falling,
            nonce: NonceStyle::Counter,
            ..Shape::PLAIN
        };
        let messages = Messages::draw(shape, PARTS, &mut SplitMix64::new(seed));
        let whole = messages
            .jobs()
            .map(|job| (job.text.len(), job.aad.len(), job.nonce.to_vec()));
        whole.collect::<Vec<_>>()
    };
    for seed in 0..20 {
        let (drawn, mut reversed) = (of(Order::Drawn, seed), of(Order::Reversed, seed));
        reversed.reverse();
        assert_eq!(drawn, reversed);
        let mut shuffled = of(Order::Shuffled, seed);
        assert_ne!(drawn, shuffled);
        shuffled.sort_unstable_by(|a, b| a.2[4..].cmp(&b.2[4..]));
        let mut sorted = drawn;
        sorted.sort_unstable_by(|a, b| a.2[4..].cmp(&b.2[4..]));
        assert_eq!(sorted, shuffled);
    }
}

#[test]
fn columns_have_their_nulls_gaps_and_bases() {
    for seed in 0..2000 {
        let mut source = SplitMix64::new(seed);
        let shape = Shape::draw(PARTS, &mut source);
        let messages = Messages::draw(shape, PARTS, &mut source);
        let column = messages.column(messages.texts.strings());
        assert_eq!(column.len(), messages.len());
        assert_eq!(column.offsets[0] == 0, shape.base == Base::Zero);
        assert!(column.is_framed() && messages.texts.is_framed());
        let bitmap = messages.bitmap();
        for (i, job) in messages.jobs().enumerate() {
            let bit = messages.first_bit + i;
            let is_set = bitmap
                .as_ref()
                .is_none_or(|bitmap| bitmap[bit / 8] >> (bit % 8) & 1 == 1);
            assert_eq!(is_set, !job.is_null);
            let is_there = !job.is_null || shape.gaps == Gaps::Bytes;
            assert_eq!(column.get(i), if is_there { job.text } else { &[] });
        }
    }
}

#[test]
fn the_seed_that_is_told_makes_the_same_messages() {
    let mut source = SplitMix64::new(9);
    let shape = Shape::draw(PARTS, &mut source);
    let messages = Messages::draw(shape, PARTS, &mut source);
    let seed = messages.seed.expect("a seed");
    let again = Messages::draw(shape, PARTS, &mut SplitMix64::new(seed));
    assert_eq!(
        (messages.texts.bytes, messages.nonces),
        (again.texts.bytes, again.nonces)
    );
    assert_eq!(
        format!("{:?}", messages.shape),
        format!("{:?}", again.shape)
    );
}

/// However they are drawn, shapes reach every pair of styles, and soon.
#[test]
fn every_pair_of_styles_comes() {
    for parts in [
        PARTS,
        Parts {
            nonce_len: 0,
            ..PARTS
        },
    ] {
        let mut coverage = Coverage::new(parts, Count::ALL);
        let mut source = SplitMix64::new(1);
        let mut batches = 0;
        while coverage.left() > 0 {
            let shape = coverage.draw(&mut source);
            assert_eq!(shape, shape.fitted(parts));
            coverage.add(&Messages::draw(shape, parts, &mut source), 1);
            batches += 1;
            assert!(batches < 1000, "{:?}", coverage.missing());
        }
        println!("{batches} batches for {} pairs", coverage.pairs().count());
    }
}
