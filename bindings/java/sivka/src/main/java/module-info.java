/**
 * Authenticated encryption that forgives mistakes: AES-GCM-SIV, AES-SIV,
 * ChaCha20-BLAKE2b and Kuznyechik-MGM for messages and files, and Tink keysets.
 */
module dev.sivka {
    exports dev.sivka;
    exports dev.sivka.aesgcmsiv;

    provides java.security.Provider with
            dev.sivka.SivkaProvider;
}
