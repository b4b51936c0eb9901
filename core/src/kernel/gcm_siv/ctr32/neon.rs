super::vectors::ctr32!(Neon, "neon,aes", m128);
