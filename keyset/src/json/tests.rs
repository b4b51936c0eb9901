use super::*;
use proptest::prelude::*;

/// The same value as `serde_json` has it; `None` if it refuses the text.
fn theirs(text: &str) -> Option<serde_json::Value> {
    serde_json::from_str(text).ok()
}

fn same(ours: &Node<'_>, theirs: &serde_json::Value) -> bool {
    match (&ours.value, theirs) {
        (Value::Word, serde_json::Value::Null | serde_json::Value::Bool(_)) => true,
        (Value::Number(text), serde_json::Value::Number(number)) => {
            // serde_json rounds an exponent's number a little otherwise.
            let (ours, theirs) = (text.parse::<f64>().ok(), number.as_f64());
            ours.zip(theirs)
                .is_some_and(|(a, b)| (a - b).abs() <= a.abs() * f64::EPSILON)
        }
        (Value::String(ours), serde_json::Value::String(theirs)) => *ours.unescaped() == *theirs,
        (Value::Array(ours), serde_json::Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| same(a, b))
        }
        (Value::Object(ours), serde_json::Value::Object(theirs)) => {
            let found = |(name, node): &(Cow<'_, str>, Node<'_>)| {
                theirs.get(&**name).is_some_and(|value| same(node, value))
            };
            ours.len() == theirs.len() && ours.iter().all(found)
        }
        _ => false,
    }
}

#[test]
fn what_is_json_is_read_as_serde_reads_it() {
    let texts = [
        "{}",
        "[]",
        " [ ] ",
        "\t{\r\n} ",
        "0",
        "-0",
        "-1.5e+3",
        "1E9",
        "1e-2",
        "null",
        "true",
        "false",
        r#""""#,
        r#""\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00""#,
        "\"é€😀\"",
        r#"{"a":[1,{"b":null}],"":2,"\u0061a":"x"}"#,
    ];
    for text in texts {
        let ours = parse(text).expect(text);
        assert!(same(&ours, &theirs(text).expect(text)), "{text}");
    }
}

#[test]
fn what_is_not_json_is_refused_with_its_place() {
    let cases = [
        ("", "the text is cut off", 0),
        ("{", "a member's name is missing", 1),
        ("[1,]", "no JSON value begins so", 3),
        (r#"{"a":1,}"#, "a member's name is missing", 7),
        (r#"{"a" 1}"#, "a colon is missing", 5),
        (
            r#"{"a":1 "b":2}"#,
            "a comma or the object's end is missing",
            7,
        ),
        ("[1 2]", "a comma or the array's end is missing", 3),
        ("[1", "a comma or the array's end is missing", 2),
        (
            r#"{"a":1,"\u0061":2}"#,
            "an object has two members of one name",
            7,
        ),
        ("1 2", "something follows the end", 2),
        ("01", "a number begins with 0", 1),
        ("-", "a digit is missing", 1),
        ("1.", "a digit is missing", 2),
        ("1e", "a digit is missing", 2),
        ("+1", "no JSON value begins so", 0),
        ("nul", "no JSON value begins so", 0),
        ("// 1", "no JSON value begins so", 0),
        ("'a'", "no JSON value begins so", 0),
        ("\u{feff}\u{feff}1", "no JSON value begins so", 3),
        ("1\u{feff}", "something follows the end", 1),
        ("\u{feff}+1", "no JSON value begins so", 3),
        ("\"a", "the text is cut off", 2),
        ("\"a\nb\"", "a string has a control character", 2),
        (r#""\x""#, "an escape is malformed", 1),
        (r#""\u12g4""#, "an escape is malformed", 1),
        (r#""\u+123""#, "an escape is malformed", 1),
        (r#""\ud800""#, "an escape is malformed", 1),
        (r#""\ud800\u0041""#, "an escape is malformed", 1),
        (r#""\udc00\ud800""#, "an escape is malformed", 1),
        ("\"\\u123é\"", "an escape is malformed", 1),
    ];
    for (text, problem, offset) in cases {
        let malformed = parse(text).expect_err(text);
        assert_eq!(
            (malformed.problem, malformed.offset),
            (problem, offset),
            "{text}"
        );
        // serde_json keeps the last of two members; in all else it agrees.
        let twice = problem == "an object has two members of one name";
        assert_eq!(theirs(text).is_some(), twice, "{text}");
    }
}

#[test]
fn nesting_ends_at_100() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(parse(&nested(100)).is_ok());
    let malformed = parse(&nested(101)).expect_err("too deep");
    assert_eq!(
        (malformed.problem, malformed.offset),
        ("nested too deeply", 100)
    );
    assert!(parse(&"[".repeat(1 << 20)).is_err());
    assert!(parse(&r#"{"a":"#.repeat(1 << 17)).is_err());
}

/// Texts that look like JSON, most of which are not quite.
fn nearly_json() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "a",
        "\\",
        "\\u00",
        "61",
        "\"a\"",
        "\"b\":",
        "1",
        "0",
        "-",
        ".",
        "e",
        "null",
        "true",
        " ",
        "\n",
        "é",
        "\\ud83d\\ude00",
        "\"k\":1",
    ]);
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ours_and_serde_agree(text in nearly_json()) {
        match (parse(&text), theirs(&text)) {
            (Ok(ours), Some(theirs)) => prop_assert!(same(&ours, &theirs)),
            (Err(malformed), theirs) => {
                prop_assert!(malformed.offset <= text.len());
                let twice = malformed.problem == "an object has two members of one name";
                prop_assert!(theirs.is_none() || twice, "{malformed:?}");
            }
            // serde_json also refuses numbers that no `f64` holds, as `1e999`.
            (Ok(_), None) => prop_assert!(text.contains('e'), "serde_json refuses it"),
        }
    }
}
