super::vectors::ctr32!(Vaes256, "avx2,vaes,vpclmulqdq", m256);
