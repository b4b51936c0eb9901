//! AWS-LC.

super::evp_aead::evp_aead!(aws_lc_sys, "AWS-LC");
