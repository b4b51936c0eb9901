// Written from the crate sivka-ffi by `cargo xtask interface`; do not edit.
package dev.sivka.internal;

/** The other constants of {@code sivka.h}. */
final class Constants {
    /** The most bytes that a key has. */
    static final int MAX_KEY_LEN = 64;

    /** The most bytes that a nonce has. */
    static final int MAX_NONCE_LEN = 24;

    /** The most bytes that a tag has. */
    static final int MAX_TAG_LEN = 64;

    /** The length of the key in a key file in bytes. */
    static final int FILE_KEY_LEN = 32;

    /** The most bytes that the text of a key file has. */
    static final int MAX_KEY_FILE_LEN = 1024;

    /** A flag: replace the output if it exists. */
    static final int OVERWRITE = 1;

    /** The most bytes of a keyset, in whatever form, that is read or written. */
    static final int KEYSET_MAX_LEN = 1048576;

    /** The most keys of a keyset. */
    static final int KEYSET_MAX_KEYS = 1000;

    /** A keyset in binary. */
    static final int KEYSET_BINARY = 0;

    /** A flag: a keyset in JSON. */
    static final int KEYSET_JSON = 1;

    /** A flag to read: several keys may have one id, unless it is the primary's. */
    static final int KEYSET_DUPLICATE_IDS = 2;

    /** A key that opens, and seals if it is the primary. */
    static final int KEYSET_ENABLED = 1;

    /** A key that does nothing until it is enabled. */
    static final int KEYSET_DISABLED = 2;

    /** A key of which only the id is left. */
    static final int KEYSET_DESTROYED = 3;

    /** What the key seals begins with the byte 1 and its id, four bytes, the highest first. */
    static final int KEYSET_PREFIX_TINK = 1;

    /** The byte 0 and the id. */
    static final int KEYSET_PREFIX_LEGACY = 2;

    /** Nothing: to open what others than Tink have sealed. */
    static final int KEYSET_PREFIX_RAW = 3;

    /** The byte 0 and the id. */
    static final int KEYSET_PREFIX_CRUNCHY = 4;

    /** The keyset neither seals nor opens here: its enabled keys are for different purposes. */
    static final int KEYSET_MIXED = 0;

    /** The keyset is for AEAD: what is sealed differs each time. */
    static final int KEYSET_AEAD = 1;

    /** The keyset is for deterministic AEAD: equal plaintexts under equal AAD are sealed to equal bytes. */
    static final int KEYSET_DETERMINISTIC_AEAD = 2;

    /** The keyset is for streaming AEAD: whole streams, segment by segment. */
    static final int KEYSET_STREAMING_AEAD = 3;

    /** An enabled key becomes the primary, which seals from now on. */
    static final int KEYSET_PROMOTE = 1;

    /** A disabled key opens again. */
    static final int KEYSET_ENABLE = 2;

    /** A key that is not the primary opens nothing until it is enabled. */
    static final int KEYSET_DISABLE = 3;

    /** A key that is not the primary is wiped for good; its id and status stay. */
    static final int KEYSET_DESTROY = 4;

    /** A key that is not the primary is wiped, and its entry is gone; every one with this id, if there are several. */
    static final int KEYSET_REMOVE = 5;

    /** A flag: the new key becomes the primary at once, for a keyset that nobody else has. */
    static final int KEYSET_AS_PRIMARY = 1;

    /** The length of an IV of CTR and CTR-ACPKM in bytes. */
    static final int KUZNYECHIK_IV_LEN = 8;

    /** The length of the shortest tag of OMAC in bytes. */
    static final int KUZNYECHIK_OMAC_MIN_TAG_LEN = 4;

    /** The length of the longest tag of OMAC in bytes. */
    static final int KUZNYECHIK_OMAC_MAX_TAG_LEN = 16;

    /** The length of a block of Kuznyechik in bytes. */
    static final int KUZNYECHIK_BLOCK_LEN = 16;

    /** The most strings of associated data that a message has. */
    static final int MAX_STRINGS = 126;

    /** The length of a key id in bytes: a hint which key opens a slot. */
    static final int KEY_ID_LEN = 8;

    /** A slot that opens with a key file. */
    static final int SLOT_KEY_FILE = 1;

    /** A slot that opens with a passphrase. */
    static final int SLOT_PASSPHRASE = 2;

    /** A slot that opens with the identity of an `age1...` recipient: not post-quantum. */
    static final int SLOT_X25519 = 3;

    /** A slot that opens with the identity of an `age1pq1...` recipient. */
    static final int SLOT_MLKEM768_X25519 = 4;

    /** The length of a sealed file's header in bytes, unless its slots or the room for more need a longer one. */
    static final int FILE_HEADER_LEN = 2048;

    /** The most bytes that a sealed file's header has. */
    static final int FILE_MAX_HEADER_LEN = 131072;

    /** The number of the interface that this header describes. */
    static final int ABI_VERSION = 1;

    private Constants() {}
}
