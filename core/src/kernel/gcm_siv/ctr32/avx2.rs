super::vectors::ctr32!(Avx2, "aes,pclmulqdq,avx2", m128);
