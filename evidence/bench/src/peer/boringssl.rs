//! BoringSSL.

super::evp_aead::evp_aead!(boring_sys, "BoringSSL");
