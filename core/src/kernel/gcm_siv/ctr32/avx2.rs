//! CTR of RFC 8452 on AES-NI.

super::vectors::ctr32!(
    Avx2,
    "aes,pclmulqdq,avx2",
    m128,
    16,
    load128,
    store128,
    load128_padded,
    store128_partial,
    side_by_side128
);
