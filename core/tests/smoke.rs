//! RFC 8452 appendix C.2, one case by hand until the suite stands.
use sivka::*;
#[test]
fn rfc() {
    let mut key = [0; 32];
    key[0] = 1;
    let mut n = [0; 12];
    n[0] = 3;
    for tier in Tier::available() {
        let k = Aes256GcmSiv::with_tier(&key, tier);
        let out = k
            .seal_with_nonce(&n, &[1, 0, 0, 0, 0, 0, 0, 0], b"")
            .unwrap();
        let hex: String = out.iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(
            hex, "c2ef328e5c71c83b843122130f7364b761e0b97427e3df28",
            "{tier}"
        );
        let mut key = [0; 16];
        key[0] = 1;
        let k = Aes128GcmSiv::with_tier(&key, tier);
        let out = k
            .seal_with_nonce(&n, &[1, 0, 0, 0, 0, 0, 0, 0], b"")
            .unwrap();
        let hex: String = out.iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(
            hex, "b5d839330ac7b786578782fff6013b815b287c22493a364c",
            "{tier}"
        );
        let mut prev: Option<Vec<u8>> = None;
        let _ = &mut prev;
    }
    for len in 0..1100 {
        let msg: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
        let outs: Vec<_> = Tier::available()
            .map(|t| {
                Aes256GcmSiv::with_tier(&[7; 32], t)
                    .seal_with_nonce(&n, &msg, &msg[..len / 3])
                    .unwrap()
            })
            .collect();
        for o in &outs {
            assert_eq!(o, &outs[0], "{len}");
        }
        for t in Tier::available() {
            assert_eq!(
                Aes256GcmSiv::with_tier(&[7; 32], t)
                    .open_with_nonce(&n, &outs[0], &msg[..len / 3])
                    .unwrap(),
                msg
            );
        }
    }
}
