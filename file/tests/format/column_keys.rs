//! Keys of columns are those that Python's standard library derives.

use sivka::Algorithm;
use sivka_file::KeyFile;
use sivka_oracle::vectors::read_column_keys;

const VECTORS: &str = include_str!("../../../vectors/column-v1/keys.json");

#[test]
fn a_key_file_gives_each_algorithm_the_key_of_the_vectors() {
    let cases = read_column_keys(VECTORS).unwrap();
    for case in &cases {
        let file = KeyFile::parse(&case.key_file).unwrap();
        let algorithm = Algorithm::find(&case.algorithm).unwrap();
        let derived = file.column_key(algorithm).unwrap();
        let key = algorithm.new_key(&case.column_key).unwrap();
        let mut nonce = vec![0; algorithm.nonce_len()];
        algorithm.fill_nonces(&mut nonce).unwrap_or_default();
        let [ours, theirs] =
            [derived, key].map(|key| key.seal_with_nonce(&nonce, b"value", b"t.c").unwrap());
        assert_eq!(ours, theirs, "{}", case.algorithm);
    }
    assert_eq!(cases.len(), 2 * Algorithm::all().len());
}
