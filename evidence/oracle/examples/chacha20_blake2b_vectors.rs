//! Writes `vectors/chacha20-blake2b/aead.json` to standard output.

use sivka_oracle::chacha20_blake2b as oracle;
use sivka_oracle::lengths::painted;

/// Plaintext and AAD lengths around one hash block, one cipher block, and the groups of
/// blocks that kernels work in.
const LENGTHS: [(usize, usize); 20] = [
    (0, 0),
    (0, 16),
    (1, 0),
    (16, 16),
    (63, 1),
    (64, 64),
    (65, 119),
    (104, 16),
    (105, 16),
    (119, 1),
    (120, 0),
    (121, 0),
    (127, 128),
    (128, 129),
    (129, 255),
    (512, 13),
    (1024, 0),
    (1025, 16),
    (2048, 300),
    (3000, 1000),
];

const TAG_LENGTHS: [usize; 3] = [32, 48, 64];

/// Seals under a fixed key and nonce; returns the nonce and ciphertext ‖ tag.
type Seal = fn(aad: &[u8], plaintext: &[u8], tag_len: usize) -> (Vec<u8>, Vec<u8>);

fn key() -> [u8; 32] {
    core::array::from_fn(|i| i as u8)
}

fn chacha20_blake2b(aad: &[u8], plaintext: &[u8], tag_len: usize) -> (Vec<u8>, Vec<u8>) {
    let nonce = core::array::from_fn(|i| 0x40 + i as u8);
    let sealed = oracle::chacha20_blake2b_seal(&key(), &nonce, aad, plaintext, tag_len);
    (nonce.to_vec(), sealed)
}

fn xchacha20_blake2b(aad: &[u8], plaintext: &[u8], tag_len: usize) -> (Vec<u8>, Vec<u8>) {
    let nonce = core::array::from_fn(|i| 0x40 + i as u8);
    let sealed = oracle::xchacha20_blake2b_seal(&key(), &nonce, aad, plaintext, tag_len);
    (nonce.to_vec(), sealed)
}

fn xchacha20_blake2b_siv(aad: &[u8], plaintext: &[u8], tag_len: usize) -> (Vec<u8>, Vec<u8>) {
    let sealed = oracle::xchacha20_blake2b_siv_seal(&key(), aad, plaintext, tag_len);
    (Vec::new(), sealed)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn group(algorithm: &str, seal: Seal, tag_len: usize) -> String {
    let cases = LENGTHS.map(|(plaintext_len, aad_len)| {
        let (plaintext, aad) = (painted(1, plaintext_len), painted(100, aad_len));
        let (nonce, sealed) = seal(&aad, &plaintext, tag_len);
        let (ciphertext, tag) = sealed.split_at(plaintext_len);
        let fields = [
            (
                "name",
                format!("plaintext of {plaintext_len}, aad of {aad_len} bytes"),
            ),
            ("key", hex(&key())),
            ("nonce", hex(&nonce)),
            ("aad", hex(&aad)),
            ("plaintext", hex(&plaintext)),
            ("ciphertext", hex(ciphertext)),
            ("tag", hex(tag)),
        ];
        let fields = fields.map(|(name, value)| format!("     \"{name}\": \"{value}\""));
        format!("    {{\n{}\n    }}", fields.join(",\n"))
    });
    format!(
        "  {{\n   \"algorithm\": \"{algorithm}\",\n   \"section\": \"tags of {tag_len} bytes\",\n   \
         \"case_count\": {},\n   \"cases\": [\n{}\n   ]\n  }}",
        cases.len(),
        cases.join(",\n")
    )
}

fn main() {
    let algorithms: [(&str, Seal); 3] = [
        ("ChaCha20-BLAKE2b", chacha20_blake2b),
        ("XChaCha20-BLAKE2b", xchacha20_blake2b),
        ("XChaCha20-BLAKE2b-SIV", xchacha20_blake2b_siv),
    ];
    let groups = algorithms.into_iter().flat_map(|(name, seal)| {
        TAG_LENGTHS
            .into_iter()
            .map(move |tag_len| group(name, seal, tag_len))
    });
    let groups: Vec<String> = groups.collect();
    println!("{{\n \"source\": \"Sivka's oracle; computed again by cross_check.py\",");
    println!(" \"groups\": [\n{}\n ]\n}}", groups.join(",\n"));
}
