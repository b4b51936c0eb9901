//! Keysets in JSON that Tink's libraries do not all read: a text for each row of the table in
//! the README, and what the table says.

/// How a row begins, and a text of its kind.
pub(crate) fn texts() -> Vec<(&'static str, String)> {
    let good = keyset("1", &key("1", VALUE));
    let snake = [
        ("primaryKeyId", "primary_key_id"),
        ("keyData", "key_data"),
        ("typeUrl", "type_url"),
        ("keyMaterialType", "key_material_type"),
        ("keyId", "key_id"),
        ("outputPrefixType", "output_prefix_type"),
    ];
    let snake = snake.iter().fold(good.clone(), |text, (camel, snake)| {
        text.replace(camel, snake)
    });
    let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let unknown = |value: &str| good.replace(r#""key":"#, &format!(r#""note":{value},"key":"#));
    let with = |value: &str| keyset("1", &key("1", value));
    let beside = |second: &str| keyset("1", &format!("{},{second}", key("1", VALUE)));
    let destroyed = |data: &str| {
        let rest = r#""status":"DESTROYED","keyId":2,"outputPrefixType":"TINK""#;
        beside(&format!("{{{data}{rest}}}"))
    };
    let (head, tail) = VALUE.split_at(20);
    vec![
        ("enums as numbers", good.replace(r#""ENABLED""#, "1")),
        ("names as in `.proto`", snake),
        ("ids as strings", keyset(r#""1""#, &key(r#""1""#, VALUE))),
        ("ids with a fraction", keyset("1.0", &key("1.0", VALUE))),
        ("negative ids", keyset("-1", &key("-1", VALUE))),
        ("unknown members", unknown(&nested(100))),
        (
            "a name twice in an unknown member",
            unknown(r#"[{"a":1,"a":2}]"#),
        ),
        (
            "more than 100 levels in an unknown member",
            unknown(&nested(101)),
        ),
        (
            "two members of one name",
            good.replace(r#""key":"#, r#""primaryKeyId":1,"key":"#),
        ),
        ("Base64, URL-safe", with("GhD7__77__77__77__77__77")),
        ("Base64 without padding", with(VALUE.trim_end_matches('='))),
        ("Base64 with line breaks", with(&format!("{head}\\n{tail}"))),
        ("Base64 with spaces", with(&format!("{head} {tail}"))),
        (
            "Base64 with other characters",
            with(&format!("{head}*{tail}")),
        ),
        ("a byte order mark first", format!("\u{feff}{good}")),
        ("text after the end", format!("{good} of May")),
        (
            "two keys of one id",
            beside(&[key("2", VALUE), key("2", VALUE)].join(",")),
        ),
        ("a destroyed key without `keyData`", destroyed("")),
        (
            "a destroyed key with empty `keyData`",
            destroyed(r#""keyData":{"typeUrl":"","value":"","keyMaterialType":"SYMMETRIC"},"#),
        ),
    ]
}

/// A key of AES-256-GCM-SIV.
const VALUE: &str = "GiAAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHw==";

fn key(id: &str, value: &str) -> String {
    let url = "type.googleapis.com/google.crypto.tink.AesGcmSivKey";
    format!(r#"{{"keyData":{{"typeUrl":"{url}","value":"{value}","keyMaterialType":"SYMMETRIC"}},"#)
        + &format!(r#""status":"ENABLED","keyId":{id},"outputPrefixType":"TINK"}}"#)
}

fn keyset(primary: &str, keys: &str) -> String {
    format!(r#"{{"primaryKeyId":{primary},"key":[{keys}]}}"#)
}

/// What the table says of a row, by the head of a column.
pub(crate) fn said(row: &str, column: &str) -> &'static str {
    let table = include_str!("../../README.md").lines();
    let mut table = table.skip_while(|line| !line.starts_with("| in JSON |"));
    let heads: Vec<_> = table.next().expect("a table").split(" | ").collect();
    let found = heads
        .iter()
        .position(|head| head.trim_matches(['|', ' ']) == column);
    let line = table.find(|line| line.starts_with(&format!("| {row}")));
    let line = line.unwrap_or_else(|| panic!("no row for {row}"));
    let cells: Vec<_> = line.split(" | ").collect();
    cells[found.unwrap_or_else(|| panic!("no column for {column}"))].trim_matches(['|', ' '])
}
