//! Keysets in JSON that Tink's libraries do not all read: a text for each row of the table in
//! the README, and what the table says.

#![allow(dead_code, reason = "not every test needs all of it")]

/// How a row begins, and a text of its kind.
pub(crate) fn texts() -> Vec<(&'static str, String)> {
    let with_ids = |id| keyset(id, &[key(id, LONG)]);
    let good = with_ids("1");
    let snake = [
        ("primaryKeyId", "primary_key_id"),
        ("keyData", "key_data"),
        ("typeUrl", "type_url"),
        ("keyMaterialType", "key_material_type"),
        ("keyId", "key_id"),
        ("outputPrefixType", "output_prefix_type"),
    ];
    let snake = snake.iter().fold(good.clone(), |text, (camel, snake)| text.replace(camel, snake));
    let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let unknown = |value: &str| good.replace(r#""key":"#, &format!(r#""note":{value},"key":"#));
    let with = |value: &str| keyset("1", &[key("1", value)]);
    let beside = |second: &str| good.replace("}]}", &format!("}},{second}]}}"));
    let destroyed = |data: &str| {
        let rest = r#""status":"DESTROYED","keyId":2,"outputPrefixType":"TINK""#;
        beside(&format!("{{{data}{rest}}}"))
    };
    let (head, tail) = LONG.split_at(20);
    vec![
        ("enums as numbers", good.replace(r#""ENABLED""#, "1")),
        ("names as in `.proto`", snake),
        ("ids as strings", with_ids(r#""1""#)),
        ("ids with a fraction", with_ids("1.0")),
        ("negative ids", with_ids("-1")),
        ("unknown members", unknown(&nested(100))),
        ("a name twice in an unknown member", unknown(r#"[{"a":1,"a":2}]"#)),
        ("more than 100 levels in an unknown member", unknown(&nested(101))),
        ("two members of one name", good.replace(r#""key":"#, r#""primaryKeyId":1,"key":"#)),
        ("Base64, URL-safe", with("GhD7__77__77__77__77__77")),
        ("Base64 without padding", with(LONG.trim_end_matches('='))),
        ("Base64 with line breaks", with(&format!("{head}\\n{tail}"))),
        ("Base64 with spaces", with(&format!("{head} {tail}"))),
        ("Base64 with other characters", with(&format!("{head}*{tail}"))),
        ("a byte order mark first", format!("\u{feff}{good}")),
        ("text after the end", format!("{good} of May")),
        ("two keys of one id", keyset("1", &[key("1", LONG), key("2", LONG), key("2", LONG)])),
        ("a destroyed key without `keyData`", destroyed("")),
        (
            "a destroyed key with empty `keyData`",
            destroyed(r#""keyData":{"typeUrl":"","value":"","keyMaterialType":"SYMMETRIC"},"#),
        ),
    ]
}

/// The message of a key of 32 bytes.
const LONG: &str = "GiAAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHw==";

pub(crate) const GCM_SIV: &str = "type.googleapis.com/google.crypto.tink.AesGcmSivKey";
/// The message of a key of 16 bytes, `A` to `P`, and its Base64.
pub(crate) const VALUE: &[u8] = b"\x1a\x10ABCDEFGHIJKLMNOP";
const VALUE64: &str = "GhBBQkNERUZHSElKS0xNTk9Q";

/// A key in JSON, whose defaults are right.
#[derive(Clone, Copy)]
pub(crate) struct Key<'a> {
    pub(crate) url: &'a str,
    pub(crate) value: &'a str,
    pub(crate) material: &'a str,
    pub(crate) status: &'a str,
    pub(crate) id: &'a str,
    pub(crate) prefix: &'a str,
}

pub(crate) const GOOD: Key<'_> = Key {
    url: GCM_SIV,
    value: VALUE64,
    material: "SYMMETRIC",
    status: "ENABLED",
    id: "7",
    prefix: "TINK",
};

fn key<'a>(id: &'a str, value: &'a str) -> Key<'a> {
    Key { id, value, ..GOOD }
}

pub(crate) fn with_id(id: &str) -> Key<'_> {
    Key { id, ..GOOD }
}

impl Key<'_> {
    pub(crate) fn text(self) -> String {
        format!(
            r#"{{"keyData":{{"typeUrl":"{}","value":"{}","keyMaterialType":"{}"}},"status":"{}","keyId":{},"outputPrefixType":"{}"}}"#,
            self.url, self.value, self.material, self.status, self.id, self.prefix
        )
    }
}

pub(crate) fn keyset(primary: &str, keys: &[Key<'_>]) -> String {
    let keys: Vec<String> = keys.iter().map(|key| key.text()).collect();
    format!(r#"{{"primaryKeyId":{primary},"key":[{}]}}"#, keys.join(","))
}

/// What the table says of a row, by the head of a column.
pub(crate) fn said(row: &str, column: &str) -> &'static str {
    let table = include_str!("../../README.md").lines();
    let mut table = table.skip_while(|line| !line.starts_with("| in JSON |"));
    let heads: Vec<_> = table.next().expect("a table").split(" | ").collect();
    let found = heads.iter().position(|head| head.trim_matches(['|', ' ']) == column);
    let line = table.find(|line| line.starts_with(&format!("| {row}")));
    let line = line.unwrap_or_else(|| panic!("no row for {row}"));
    let cells: Vec<_> = line.split(" | ").collect();
    cells[found.unwrap_or_else(|| panic!("no column for {column}"))].trim_matches(['|', ' '])
}
