//! CTR of RFC 8452 on VAES, two blocks in a 256-bit vector.

super::vectors::ctr32!(
    Vaes256,
    "avx2,vaes,vpclmulqdq",
    m256,
    32,
    load256,
    store256,
    load256_padded,
    store256_partial,
    side_by_side256
);
