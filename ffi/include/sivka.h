/* Sivka: authenticated encryption that forgives mistakes.
 *
 *     sivka_key *key;
 *     sivka_key_new(SIVKA_AES_256_GCM_SIV, bytes, 32, &key);
 *     sivka_message message = {0};
 *     message.input = text, message.input_len = text_len;
 *     message.output = sealed, message.output_len = sealed_capacity;
 *     sivka_seal(key, &message, &sealed_len);
 *     sivka_key_free(key);
 *
 * Rules for every function:
 *
 * - A length is in bytes, comes after its pointer, and says how many bytes may be read there (or
 *   written, if the pointer is not const). A pointer whose length is 0 may be anything, NULL too.
 *   Names and paths end with a zero instead; on Windows, paths are UTF-8. The memory stays the
 *   caller's, who wipes what is secret: nothing is kept of it after the call.
 * - No output may overlap another argument, unless the function says how it works in place.
 *   Overlap of buffers is found, and is an error; nothing was written then. Only the bytes that a
 *   call reads or writes are checked. Of the texts and AADs of a batch, these are from the first
 *   offset to the last one; of a column and its AADs, the whole buffer. The pointer to a new handle
 *   is not checked.
 * - A status SIVKA_ERROR_* says whose fault it is: sivka_status_message() says it in words,
 *   and sivka_last_error() says of which argument, what was expected and what was given. Untrusted
 *   messages cause SIVKA_ERROR_OPEN, or _TOO_LONG where their length says so, and nothing else.
 * - `_OPEN` and the like are SIVKA_ERROR_OPEN and so on. A function lists its own. These come with
 *   what a function has, and are not always listed again:
 *
 *       anything                _INTERNAL, _NO_MEMORY
 *       a pointer               _NULL; _ALIGNMENT, if it is to numbers, a structure or a handle
 *       a length                _TOO_LONG; _LENGTH, if it must be that of a key, nonce, tag or row
 *       a buffer to write to    _OVERLAP, _CAPACITY
 *       flags, algorithm, suite _FLAGS, _ALGORITHM, _SUITE
 *       text in UTF-8           _TEXT
 *       a path                  _TEXT, _KEY_TEXT, _READ; _WRITE and _EXISTS, if it is written there
 *       a sealed file           _NOT_SIVKA, _NEWER, _DAMAGED, _TRUNCATED, _WRONG_KEY, _COST_LIMIT,
 *                               _FILE_TOO_LONG
 *       a progress function     _CANCELLED
 *       something to draw       _RANDOM
 *       offsets                 _OFFSETS
 *       keys to seal for        _KEY_COUNT
 *       a slot's index          _SLOT
 *       a key file; its name    _KEY_FILE, _NEWER; _KEY_NAME
 *       a passphrase; its cost  _EMPTY_PASSPHRASE; _COST
 *       recipients, identities  _AGE_KEY
 *       a template's name       _TEMPLATE
 *       a keyset that seals     _PRIMITIVE; _KEYSET, if its enabled keys are for several primitives
 *       a key at work           _SELF_CHECK
 *
 * - A function that makes a handle writes it to `made`, and NULL on a failure. Its arguments
 *   may be freed before it. Free each handle once, with the _free() of its type; NULL is allowed.
 * - Any number of threads may use one handle for calls that take it as const. A call that takes it
 *   as not const changes it, and needs it alone. Any thread may call functions without a handle.
 * - Strings that are returned are static, end with a zero, and are never freed.
 * - No function throws or returns by other ways. If the system refuses memory, a call is _NO_MEMORY
 *   or goes on with a reserve of 8 MiB. Only more than 2 MiB, or what C's library keeps of threads
 *   where one begins for a file of 512 KiB and more, may end the process by abort(). Files are
 *   opened and written where a path says so, a keyring's too. Only those by which Linux tells the
 *   number of cores are read besides, once, for 512 KiB and more. Only keyrings run programs. No
 *   environment variable is read.
 * - A child of fork() draws other nonces than its parent. It may use every handle that no other
 *   thread was changing then. Signals do not break calls off; their handlers must not make any,
 *   since calls allocate. On Linux dlclose() leaves the library where it is, for threads that called
 *   it. A library of yours that contains libsivka.a must not be unloaded: link it with -z nodelete.
 * - A call uses up to 128 KiB of its thread's stack: the first key of an algorithm up to 100, a
 *   column 104, a batch 53, a file in memory about 60, any other call about 20. A library built
 *   without optimisation uses several times as much.
 * - A thread must not leave a call before it returns. pthread_cancel() may end the process there,
 *   by abort(): disable cancellation around calls. A function that you gave must not leave by
 *   longjmp().
 *
 * Written by cbindgen from the crate sivka-ffi; do not edit. */


#ifndef SIVKA_H
#define SIVKA_H

#include <stddef.h>
#include <stdint.h>

/* The version of this header; sivka_version() says that of the library. */
#define SIVKA_VERSION "0.1.0"
#define SIVKA_VERSION_MAJOR 0
#define SIVKA_VERSION_MINOR 1
#define SIVKA_VERSION_PATCH 0

/* A status that nobody reads is a mistake, which compilers then report. */
#if defined(__has_attribute)
#if __has_attribute(warn_unused_result)
#define SIVKA_MUST_USE __attribute__((warn_unused_result))
#endif
#endif
#ifndef SIVKA_MUST_USE
#define SIVKA_MUST_USE
#endif

/* Enumerations have four bytes in every language. C before C23 cannot say so; it is checked. */
#if (defined(__cplusplus) && (__cplusplus >= 201103L || defined(_MSC_VER))) || \
    (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define SIVKA_ENUM(type) : type
#else
#define SIVKA_ENUM(type)
#endif
#define SIVKA_FOUR_BYTES(type) typedef char type##_has_four_bytes[sizeof(type) == 4 ? 1 : -1]


/* The most bytes that a key has. */
#define SIVKA_MAX_KEY_LEN 64

/* The most bytes that a nonce has. */
#define SIVKA_MAX_NONCE_LEN 24

/* The most bytes that a tag has. */
#define SIVKA_MAX_TAG_LEN 64

/* The most strings of associated data that a message has. */
#define SIVKA_MAX_STRINGS 126

/* The number of the interface that this header describes. It changes, and the shared library's
 * name with it, when older programs would no longer work. Compare it with sivka_abi_version(). */
#define SIVKA_ABI_VERSION 1

/* A flag: replace the output if it exists. */
#define SIVKA_OVERWRITE 1

/* The length of the key in a key file in bytes. */
#define SIVKA_FILE_KEY_LEN 32

/* The most bytes that the text of a key file has. */
#define SIVKA_MAX_KEY_FILE_LEN 1024

/* The length of a key id in bytes: a hint which key opens a slot. */
#define SIVKA_KEY_ID_LEN 8

/* The usual length of a sealed file's header in bytes; many slots, or space for more, add to it. */
#define SIVKA_FILE_HEADER_LEN 2048

/* The most bytes that a sealed file's header has. */
#define SIVKA_FILE_MAX_HEADER_LEN 131072

/* The right to seal values. */
#define SIVKA_KEYRING_SEAL 1

/* The right to open values. */
#define SIVKA_KEYRING_OPEN 2

/* The most letters, digits, `.`, `_` and `-` of a name. A key in base64 has more. */
#define SIVKA_KEYRING_MAX_NAME_LEN 40

/* The most bytes of a key file, or of a keyset. */
#define SIVKA_KEYRING_MAX_TEXT_LEN (1 << 14)

/* The most bytes of a keyset, in whatever form, that is read or written. */
#define SIVKA_KEYSET_MAX_LEN (1 << 20)

/* The most keys of a keyset. */
#define SIVKA_KEYSET_MAX_KEYS 1000

/* A keyset in binary. */
#define SIVKA_KEYSET_BINARY 0

/* A flag: a keyset in JSON. */
#define SIVKA_KEYSET_JSON 1

/* A flag to read: several keys may have one id, unless it is the primary's. All of them are
 * tried on a message with that prefix. Such a keyset cannot be written: remove these first. */
#define SIVKA_KEYSET_DUPLICATE_IDS 2

/* A flag: the new key becomes the primary at once, for a keyset that nobody else has. */
#define SIVKA_KEYSET_AS_PRIMARY 1

/* The length of a block of Kuznyechik in bytes. */
#define SIVKA_KUZNYECHIK_BLOCK_LEN 16

/* The length of an IV of CTR and CTR-ACPKM in bytes. */
#define SIVKA_KUZNYECHIK_IV_LEN 8

/* The length of the shortest tag of OMAC in bytes. */
#define SIVKA_KUZNYECHIK_OMAC_MIN_TAG_LEN 4

/* The length of the longest tag of OMAC in bytes. */
#define SIVKA_KUZNYECHIK_OMAC_MAX_TAG_LEN 16

/* The key files, passphrases and recipients that a file is sealed for, or the key files,
 * passphrases and identities that it is to be opened with. sivka_file_keys_new() makes it. Any
 * number of threads may use it at the same time, and add to it. A call works with the keys that
 * were there when it began. */
typedef struct sivka_file_keys sivka_file_keys;

/* A sealed file that is read in parts, in any order. sivka_file_reader_new() or
 * sivka_file_reader_of_length() make it. Threads that read from one reader take turns. */
typedef struct sivka_file_reader sivka_file_reader;

/* A key of sivka_key_new() or sivka_column_key_new(), or a keyset's, of sivka_keyset_key(). */
typedef struct sivka_key sivka_key;

/* Names of keys for columns, for engines whose queries name keys. Each has rights and a path: the
 * absolute path of a key file or a Tink keyset, or `|` and that of a program that prints one. They
 * come from operators: never take a path from whoever writes queries.
 *
 * Root or the process's user owns the file of a key, which nobody else may read; root's may be
 * read by its group. Windows has other rights, which are not checked. A failure is _KEYRING;
 * sivka_last_error() says of which key, and quotes no path and nothing that could be a key. */
typedef struct sivka_keyring sivka_keyring;

/* A Tink keyset: keys for one purpose. One of them, the primary, seals; all enabled keys
 * open. This library and Tink, in Java, C++, Go and Python, read each other's keysets
 * and open each other's messages.
 *
 * Types of keys: AES-GCM-SIV, AES-GCM, AES-EAX, AES-CTR-HMAC, ChaCha20-Poly1305,
 * XChaCha20-Poly1305 and XAES-256-GCM, whose keysets are for AEAD; AES-SIV of 64 bytes of key,
 * whose keysets are for deterministic AEAD; AES-GCM-HKDF and AES-CTR-HMAC for streams
 * (sivka_keyset_sealer_new()). Keysets of keys in a key-management service are read, written
 * and rotated here, and used from Rust.
 *
 * To change a keyset that other threads use, change and use a copy of it: sivka_keyset_copy(). */
typedef struct sivka_keyset sivka_keyset;

/* A key of the Kuznyechik block cipher (GOST R 34.12-2015, RFC 7801). sivka_kuznyechik_new() makes
 * it. To seal messages, use SIVKA_KUZNYECHIK_MGM instead. */
typedef struct sivka_kuznyechik sivka_kuznyechik;

/* Where a keystream of Kuznyechik is, for one message: CTR (GOST R 34.13-2015 section 5.2) or
 * CTR-ACPKM (RFC 8645 section 6.2.2). Nothing is authenticated, and two messages under one key and
 * IV reveal the difference of their plaintexts: use SIVKA_KUZNYECHIK_MGM unless a protocol asks
 * for this mode. */
typedef struct sivka_kuznyechik_ctr sivka_kuznyechik_ctr;

/* A key of Kuznyechik in OMAC (GOST R 34.13-2015 section 5.6, CMAC), a message authentication
 * code, with a length of tag that is fixed when sivka_kuznyechik_omac_new() makes it. A message is
 * part of the key: there is one at a time, and no other thread may use the key meanwhile. */
typedef struct sivka_kuznyechik_omac sivka_kuznyechik_omac;

/* A sealed file that is opened as it comes. sivka_opener_new() makes it, or
 * sivka_keyset_opener_new() for a stream of a keyset. */
typedef struct sivka_opener sivka_opener;

/* A file under way, which seals its input. sivka_sealer_new() makes it, or
 * sivka_keyset_sealer_new() for a stream of a keyset. */
typedef struct sivka_sealer sivka_sealer;

/* The result of a call: SIVKA_OK, SIVKA_WANTS, or one of SIVKA_ERROR_*. A number never changes
 * its meaning and is never used again; later versions may add more.
 *
 * 1 to 15: a message or file does not open, or SIVKA_WANTS. 16 to 63: the call is wrong, and will
 * be again. 64 to 95: this machine or a service cannot do it. 96 and above: a file, or its path. */
typedef enum sivka_status SIVKA_ENUM(int32_t) {
    /* Everything was done. */
    SIVKA_OK = 0,
    /* The message does not open under this key, nonce and AAD: forged, damaged, cut short
     * or sealed otherwise; there is no saying which. The output holds zeros. */
    SIVKA_ERROR_OPEN = 1,
    /* Some messages of a batch were not done; their statuses say why. All others were. */
    SIVKA_ERROR_BATCH = 2,
    /* Nothing is wrong: the reader wants the bytes that sivka_file_reader_wants() says. */
    SIVKA_WANTS = 3,
    /* A pointer is NULL that may not be. */
    SIVKA_ERROR_NULL = 16,
    /* A key, nonce, tag, section or array does not have the length that it must have. */
    SIVKA_ERROR_LENGTH = 17,
    /* A buffer is too small for the result. */
    SIVKA_ERROR_CAPACITY = 18,
    /* An input is longer than the algorithm allows or memory can be; or there are too many. */
    SIVKA_ERROR_TOO_LONG = 19,
    /* A buffer that is written overlaps another one in a way that is not allowed. */
    SIVKA_ERROR_OVERLAP = 20,
    /* An array of numbers or pointers is not aligned. */
    SIVKA_ERROR_ALIGNMENT = 21,
    /* No algorithm has this number or name in this version, or this one does not have the call. */
    SIVKA_ERROR_ALGORITHM = 22,
    /* The algorithm's nonce is too short to be random: choose it yourself. */
    SIVKA_ERROR_NO_RANDOM_NONCE = 23,
    /* The offsets of a batch do not ascend, or go beyond their buffer. */
    SIVKA_ERROR_OFFSETS = 24,
    /* A text is not UTF-8. */
    SIVKA_ERROR_TEXT = 25,
    /* A flag is set that this version does not know. */
    SIVKA_ERROR_FLAGS = 26,
    /* No suite of the file format has this number in this version. */
    SIVKA_ERROR_SUITE = 27,
    /* The passphrase is empty. */
    SIVKA_ERROR_EMPTY_PASSPHRASE = 28,
    /* An Argon2id cost is outside the limits of the file format. */
    SIVKA_ERROR_COST = 29,
    /* A key's name is not 1 to 64 bytes, has a space at an end, or a control character. */
    SIVKA_ERROR_KEY_NAME = 30,
    /* A file has 1 to 64 key slots, and its header space for them. */
    SIVKA_ERROR_KEY_COUNT = 31,
    /* The usage bound of the key is spent. */
    SIVKA_ERROR_USAGE_BOUND = 32,
    /* The algorithm refuses such a nonce, or a message that is empty in every part. */
    SIVKA_ERROR_REFUSED = 33,
    /* The file has no key slot with this index. */
    SIVKA_ERROR_SLOT = 34,
    /* No template of keyset keys has this name. */
    SIVKA_ERROR_TEMPLATE = 35,
    /* The keyset has no key with this id, or several. */
    SIVKA_ERROR_KEY_ID = 36,
    /* The primary key cannot be disabled, destroyed or removed. A key that is not enabled
     * cannot become the primary. A destroyed key stays destroyed. */
    SIVKA_ERROR_KEY_STATE = 37,
    /* The keyset is for another primitive, as deterministic AEAD, than the call or the new key. */
    SIVKA_ERROR_PRIMITIVE = 38,
    /* The text of a key was given where the path of a file belongs. No message quotes it. */
    SIVKA_ERROR_KEY_TEXT = 39,
    /* The operating system gave no random bytes. */
    SIVKA_ERROR_RANDOM = 64,
    /* The code for this CPU gave a wrong known answer and refuses to run. */
    SIVKA_ERROR_SELF_CHECK = 65,
    /* There is not enough memory. */
    SIVKA_ERROR_NO_MEMORY = 66,
    /* A defect of this library. The output may be there in part. */
    SIVKA_ERROR_INTERNAL = 67,
    /* The input is not a sealed file. */
    SIVKA_ERROR_NOT_SIVKA = 96,
    /* The file or key file needs a newer version of this library. */
    SIVKA_ERROR_NEWER = 97,
    /* The file is damaged, or somebody changed it. */
    SIVKA_ERROR_DAMAGED = 98,
    /* The end of the file is missing or damaged; nobody can tell which. */
    SIVKA_ERROR_TRUNCATED = 99,
    /* None of the given keys and passphrases opens the file. */
    SIVKA_ERROR_WRONG_KEY = 100,
    /* The file asks for more memory or time to try a passphrase than is allowed. */
    SIVKA_ERROR_COST_LIMIT = 101,
    /* The input is longer than the file format allows. */
    SIVKA_ERROR_FILE_TOO_LONG = 102,
    /* The text is not a key file, or it was damaged. */
    SIVKA_ERROR_KEY_FILE = 103,
    /* A file could not be opened or read. */
    SIVKA_ERROR_READ = 104,
    /* A file could not be created or written. */
    SIVKA_ERROR_WRITE = 105,
    /* The output exists and was not to be overwritten. */
    SIVKA_ERROR_EXISTS = 106,
    /* The caller's function that hears of the progress said to stop. */
    SIVKA_ERROR_CANCELLED = 107,
    /* The input is not a keyset in the form asked for, or breaks a rule of keysets;
     * sivka_last_error() says where, or at which key. */
    SIVKA_ERROR_KEYSET = 108,
    /* A key of the keyset is of a type or version that this library does not have. */
    SIVKA_ERROR_KEY_TYPE = 109,
    /* The text has no recipients or identities of age's, one a line, or one that is none. */
    SIVKA_ERROR_AGE_KEY = 110,
    /* A keyring cannot be made, or does not give a key; sivka_last_error() says why. */
    SIVKA_ERROR_KEYRING = 111,
} sivka_status;
SIVKA_FOUR_BYTES(sivka_status);

/* The number of an algorithm: one of the constants below, from 1 on. None changes its meaning. */
typedef enum sivka_algorithm SIVKA_ENUM(uint32_t) {
    /* AES-128-GCM-SIV (RFC 8452): key 16, nonce 12, tag 16 bytes. */
    SIVKA_AES_128_GCM_SIV = 1,
    /* AES-256-GCM-SIV (RFC 8452): key 32, nonce 12, tag 16 bytes. */
    SIVKA_AES_256_GCM_SIV = 2,
    /* ChaCha20-BLAKE2b: key 32, nonce 8 (a counter, never random), tag 32 bytes. */
    SIVKA_CHACHA20_BLAKE2B = 3,
    /* XChaCha20-BLAKE2b: key 32, nonce 24, tag 32 bytes. */
    SIVKA_XCHACHA20_BLAKE2B = 4,
    /* XChaCha20-BLAKE2b-SIV: key 32, no nonce, tag 32 bytes. Deterministic. */
    SIVKA_XCHACHA20_BLAKE2B_SIV = 5,
    /* Kuznyechik-MGM (RFC 9058): key 32, nonce 16 (its first bit is 0), tag 16 bytes. */
    SIVKA_KUZNYECHIK_MGM = 6,
    /* SIVKA_CHACHA20_BLAKE2B with a tag of 48 bytes. */
    SIVKA_CHACHA20_BLAKE2B_TAG48 = 7,
    /* SIVKA_CHACHA20_BLAKE2B with a tag of 64 bytes. */
    SIVKA_CHACHA20_BLAKE2B_TAG64 = 8,
    /* SIVKA_XCHACHA20_BLAKE2B with a tag of 48 bytes. */
    SIVKA_XCHACHA20_BLAKE2B_TAG48 = 9,
    /* SIVKA_XCHACHA20_BLAKE2B with a tag of 64 bytes. */
    SIVKA_XCHACHA20_BLAKE2B_TAG64 = 10,
    /* SIVKA_XCHACHA20_BLAKE2B_SIV with a tag of 48 bytes. */
    SIVKA_XCHACHA20_BLAKE2B_SIV_TAG48 = 11,
    /* SIVKA_XCHACHA20_BLAKE2B_SIV with a tag of 64 bytes. */
    SIVKA_XCHACHA20_BLAKE2B_SIV_TAG64 = 12,
    /* AES-SIV (RFC 5297, AEAD_AES_SIV_CMAC_256): key 32, no nonce, tag 16 bytes, which is
     * before the ciphertext. Deterministic, and not committing. For the formats of others. */
    SIVKA_AES_SIV_256 = 13,
    /* AES-SIV (AEAD_AES_SIV_CMAC_384) with a key of 48 bytes. For the formats of others. */
    SIVKA_AES_SIV_384 = 14,
    /* AES-SIV (AEAD_AES_SIV_CMAC_512) with a key of 64 bytes, two of AES-256: what Tink calls
     * AES256_SIV and OpenSSL AES-256-SIV. The one of the three to take. */
    SIVKA_AES_SIV_512 = 15,
} sivka_algorithm;
SIVKA_FOUR_BYTES(sivka_algorithm);

/* What there is to know of an algorithm. Later versions may add fields at the end. */
typedef struct {
    /* Its number. */
    sivka_algorithm algorithm;
    /* 1 if the tag comes before the ciphertext in one buffer, as AES-SIV has it; 0 if after it. */
    int32_t tag_first;
    /* 1 if nonces may be random, or there are none; 0 if they are too short for that, and count. */
    int32_t random_nonces;
    /* Its name, as "AES-256-GCM-SIV". */
    const char *name;
    /* The length of a key. */
    size_t key_len;
    /* The length of a nonce; 0 if there is none. */
    size_t nonce_len;
    /* The length of a tag. */
    size_t tag_len;
    /* The most bytes of plaintext that a message has. */
    uint64_t max_plaintext_len;
    /* The most bytes of associated data that a message has. */
    uint64_t max_aad_len;
} sivka_algorithm_info;

/* One message to seal or to open. Set all to 0 first: what stays NULL is not used.
 *
 * Errors say `plaintext`, and of what is sealed `sealed` or, beside a tag, `ciphertext`. */
typedef struct {
    /* NULL: sealing draws a random nonce, and the nonce is before all else that is sealed.
     * A nonce of the caller's must not seal another message under the key; what a repetition
     * costs depends on the algorithm. */
    const void *nonce;
    /* The length of the nonce, which is the algorithm's; 0 without one. */
    size_t nonce_len;
    /* Associated data: authenticated, and neither encrypted nor written. */
    const void *aad;
    /* The length of the associated data. */
    size_t aad_len;
    /* In the place of `aad`, a list of strings, for AES-SIV alone: `aad_lens[i]` bytes are at
     * `aads[i]`. Number, order and bounds of the strings count: none is not the same as an empty
     * one, and `aad` is the list of one. The AEAD with a nonce of RFC 5297 is the list whose
     * last string is the nonce. */
    const uint8_t *const *aads;
    /* The lengths of the strings. */
    const size_t *aad_lens;
    /* How many strings there are, at most SIVKA_MAX_STRINGS. */
    size_t aad_count;
    /* What is read: to seal the plaintext, to open what is sealed. In place, input and output
     * text begin at the same byte, and overlap in no other way. */
    const void *input;
    /* The length of the input. */
    size_t input_len;
    /* What is written. Without a tag of its own it needs, to seal, sivka_key_seal_len() bytes
     * (less the nonce, if one is given), and to open so much less than the input. */
    void *output;
    /* The space at `output`; with a tag of its own exactly the length of the input. */
    size_t output_len;
    /* The tag by itself, written in sealing and read in opening, and with a nonce of the
     * caller's. NULL: it is after the ciphertext, or before it if the algorithm has it first. */
    void *tag;
    /* The length of the tag, which is the algorithm's; 0 without one. */
    size_t tag_len;
} sivka_message;

/* A column of byte strings, laid out as Apache Arrow's binary and string arrays: all values
 * one after the other in one buffer, with offsets between them. */
typedef struct {
    /* All values. May be NULL if `bytes_len` is 0. */
    const void *bytes;
    /* The length of the buffer in bytes. */
    size_t bytes_len;
    /* One offset more than there are values, each an `int32_t` or an `int64_t`, ascending:
     * value i is `bytes[offsets[i]]` up to `bytes[offsets[i + 1]]`. */
    const void *offsets;
    /* Which values are there: a bitmap, the first value's bit at `first_bit`, counted from the
     * lowest bit on. If it is 0 the value is null, and not read. NULL if all are there. */
    const void *validity;
    /* The number of the first value's bit, for a slice of a column. */
    size_t first_bit;
    /* The bits of an offset: 32, as in Arrow's binary and utf8, or 64, as in its large types. */
    uint32_t offset_bits;
} sivka_column;

/* Many messages under one key, sealed and opened in place. Set all to 0 first: what stays NULL is
 * not used. AADs may be one another's memory, and nothing else may overlap. */
typedef struct {
    /* How many messages there are. */
    size_t count;
    /* As many nonces, one after another. */
    const void *nonces;
    /* The length of all nonces. */
    size_t nonces_len;
    /* The AADs in one buffer: that of message i is `aads[aad_offsets[i]]` up to
     * `aads[aad_offsets[i + 1]]`. */
    const void *aads;
    /* The length of the buffer. */
    size_t aads_len;
    /* One offset more than messages; they ascend. NULL: `aads` is that of every message. */
    const size_t *aad_offsets;
    /* In the place of the buffer, `aad_lens[i]` bytes at `aad_list[i]`. */
    const uint8_t *const *aad_list;
    /* The lengths of the AADs in the list. */
    const size_t *aad_lens;
    /* The texts in one buffer, as Arrow and NumPy lay out strings: message i is
     * `texts[text_offsets[i]]` up to `texts[text_offsets[i + 1]]`. */
    void *texts;
    /* The length of the buffer. */
    size_t texts_len;
    /* One offset more than there are messages; they ascend. */
    const size_t *text_offsets;
    /* In the place of the buffer, `text_lens[i]` bytes at `text_list[i]`. */
    uint8_t *const *text_list;
    /* The lengths of the texts in the list. */
    const size_t *text_lens;
    /* As many tags, one after another: written in sealing, read in opening. */
    void *tags;
    /* The length of all tags. */
    size_t tags_len;
    /* Gets the status of each message. */
    sivka_status *statuses;
} sivka_messages;

/* The record of a failed call. Later versions may add fields at the end. */
typedef struct {
    /* The status of the call; SIVKA_OK if none of this thread failed. _NO_MEMORY if the system
     * had none for a record of any thread. */
    sivka_status status;
    /* The operating system's number (errno, or GetLastError of Windows) for what could not
     * be done, as to read or write a file; 0 if the failure was not the system's. */
    int32_t os_code;
    /* One sentence for people, with all that follows. It never quotes a key or a message. Empty
     * if no call of this thread failed; never NULL. */
    const char *detail;
    /* The argument that was wrong, by its name in this header, or the field of a structure
     * that one points to. It is the pointer of a buffer, also where its length was wrong. NULL
     * if the call as such was not wrong, or no single argument was. */
    const char *argument;
    /* The path of the file that it was about, as the caller gave it; NULL if it was none. */
    const char *path;
    /* The other argument, if `argument` overlaps one and may not; NULL otherwise. */
    const char *overlapped;
} sivka_error;

/* The number of a suite of the file format: which AEAD seals the chunks of a file. It is in the
 * file's header and never changes its meaning. They count from 1; 0 is the default suite. */
typedef uint32_t sivka_suite;

/* Gets the number of bytes of plaintext that are done. Returns 0 to go on, and any other number to
 * stop as soon as possible. A call that succeeds reports the last number once more, before an
 * output file appears. `context` is what the caller gave with the function, which is called in the
 * caller's thread; it does not throw, and does not jump away. */
typedef int32_t (*sivka_progress_function)(void *context, uint64_t plaintext_len);

/* Plaintext that is lost, with zeros in its place. */
typedef struct {
    /* Where it begins in the plaintext, in bytes. */
    uint64_t start;
    /* Its length in bytes. */
    uint64_t len;
} sivka_lost_range;

/* What sivka_salvage_file() found. */
typedef struct {
    /* Bytes of plaintext that were intact. */
    uint64_t intact_len;
    /* Zeros written instead of lost plaintext, in bytes. */
    uint64_t lost_len;
    /* The length of the plaintext in bytes, if the last chunk is intact and proves it;
     * else 2^64 - 1: how much plaintext followed cannot be known. */
    uint64_t plaintext_len;
    /* The status that sivka_open_file() gives for the same file. */
    sivka_status open_status;
    /* 1 if all of the plaintext was recovered and proved: the output is the original. Else 0. */
    uint32_t content_is_whole;
    /* How many ranges are lost. */
    size_t lost_count;
    /* The ranges, in order; no two of them touch. */
    const sivka_lost_range *lost;
} sivka_salvage;

/* The kind of key that opens a slot. A file may have kinds that this version does not
 * know, and that are no constants. */
typedef enum sivka_slot_kind SIVKA_ENUM(uint32_t) {
    /* A slot that opens with a key file. */
    SIVKA_SLOT_KEY_FILE = 1,
    /* A slot that opens with a passphrase. */
    SIVKA_SLOT_PASSPHRASE = 2,
    /* A slot that opens with the identity of an `age1...` recipient: not post-quantum. */
    SIVKA_SLOT_X25519 = 3,
    /* A slot that opens with the identity of an `age1pq1...` recipient. */
    SIVKA_SLOT_MLKEM768_X25519 = 4,
} sivka_slot_kind;
SIVKA_FOUR_BYTES(sivka_slot_kind);

/* A key slot, as anybody sees it. */
typedef struct {
    /* SIVKA_SLOT_KEY_FILE, _PASSPHRASE, _X25519, _MLKEM768_X25519, or a kind not known here. */
    sivka_slot_kind kind;
    /* For a passphrase: the memory of one try in KiB, else 0. */
    uint32_t memory_kib;
    /* Of a passphrase: the passes of one try, else 0. */
    uint32_t passes;
    /* Of a passphrase: the lanes of one try, else 0. */
    uint32_t lanes;
    /* Of a key file: a hint which one, else zeros. */
    uint8_t key_id[SIVKA_KEY_ID_LEN];
} sivka_slot;

/* What a sealed file shows without a key; none of it is authenticated. sivka_inspect_file() makes
 * it. Later versions may add fields at the end. */
typedef struct {
    /* The number of the file's suite. */
    sivka_suite suite;
    /* How many key slots the file has. */
    size_t slot_count;
    /* The key slots. */
    const sivka_slot *slots;
} sivka_inspection;

/* The purpose of the enabled keys of a keyset. */
typedef enum sivka_keyset_purpose SIVKA_ENUM(uint32_t) {
    /* The keyset neither seals nor opens here: its enabled keys are for different purposes. */
    SIVKA_KEYSET_MIXED = 0,
    /* The keyset is for AEAD: equal plaintexts are sealed to different bytes. */
    SIVKA_KEYSET_AEAD = 1,
    /* The keyset is for deterministic AEAD: equal plaintexts under equal AAD become equal bytes. */
    SIVKA_KEYSET_DETERMINISTIC_AEAD = 2,
    /* The keyset is for streaming AEAD: whole streams, segment by segment. */
    SIVKA_KEYSET_STREAMING_AEAD = 3,
} sivka_keyset_purpose;
SIVKA_FOUR_BYTES(sivka_keyset_purpose);

/* The status of a key of a keyset. */
typedef enum sivka_keyset_status SIVKA_ENUM(uint32_t) {
    /* A key that opens, and seals if it is the primary. */
    SIVKA_KEYSET_ENABLED = 1,
    /* A key that does nothing until it is enabled. */
    SIVKA_KEYSET_DISABLED = 2,
    /* A destroyed key: only its id is left. */
    SIVKA_KEYSET_DESTROYED = 3,
} sivka_keyset_status;
SIVKA_FOUR_BYTES(sivka_keyset_status);

/* The prefix of the messages that a key of a keyset seals. */
typedef enum sivka_keyset_prefix SIVKA_ENUM(uint32_t) {
    /* Messages begin with the byte 1 and the key's id, four bytes, the highest first. */
    SIVKA_KEYSET_PREFIX_TINK = 1,
    /* The byte 0 and the id. */
    SIVKA_KEYSET_PREFIX_LEGACY = 2,
    /* Nothing: to open what others than Tink have sealed. */
    SIVKA_KEYSET_PREFIX_RAW = 3,
    /* The byte 0 and the id. */
    SIVKA_KEYSET_PREFIX_CRUNCHY = 4,
} sivka_keyset_prefix;
SIVKA_FOUR_BYTES(sivka_keyset_prefix);

/* All of a key but the key itself. */
typedef struct {
    /* The id, by which it is promoted, disabled and so on. Java shows ids from 2^31 on as
     * negative numbers: add 2^32 to these. */
    uint32_t id;
    /* SIVKA_KEYSET_ENABLED, _DISABLED or _DESTROYED. */
    sivka_keyset_status status;
    /* SIVKA_KEYSET_PREFIX_TINK and so on. */
    sivka_keyset_prefix prefix;
    /* Its type, as "type.googleapis.com/google.crypto.tink.AesSivKey"; empty if destroyed. */
    const char *type_name;
} sivka_keyset_key_info;

/* What may be told of a keyset to everyone. sivka_inspect_keyset() makes it. */
typedef struct {
    /* The id of the key that seals. */
    uint32_t primary_key_id;
    /* How many keys there are. */
    size_t key_count;
    /* The keys. */
    const sivka_keyset_key_info *keys;
} sivka_keyset_info;

/* A change of one key of a keyset. */
typedef enum sivka_keyset_change_kind SIVKA_ENUM(uint32_t) {
    /* An enabled key becomes the primary, which seals from now on. */
    SIVKA_KEYSET_PROMOTE = 1,
    /* A disabled key opens again. */
    SIVKA_KEYSET_ENABLE = 2,
    /* A key that is not the primary opens nothing until it is enabled. */
    SIVKA_KEYSET_DISABLE = 3,
    /* A key that is not the primary is wiped for good; its id and status stay. Tink for Go does not
     * read such a keyset: SIVKA_KEYSET_REMOVE leaves nothing to stumble over. */
    SIVKA_KEYSET_DESTROY = 4,
    /* A key that is not the primary is wiped and its entry gone; so is every one with this id. */
    SIVKA_KEYSET_REMOVE = 5,
} sivka_keyset_change_kind;
SIVKA_FOUR_BYTES(sivka_keyset_change_kind);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/* Writes the number of the algorithm with this name, in upper or lower case, to `algorithm`. */
SIVKA_MUST_USE sivka_status sivka_algorithm_from_name(const char *name, sivka_algorithm *algorithm);

/* What there is to know of an algorithm, or NULL if this version does not know it. Static. */
const sivka_algorithm_info *sivka_inspect_algorithm(sivka_algorithm algorithm);

/* Whether this is a nonce of the algorithm: 1 if so, 0 if its length or one of its bits
 * is not, or the algorithm is unknown. If a nonce of all one bits is allowed, every nonce
 * of its length is. Says nothing about whether it was used before. */
int32_t sivka_nonce_allowed(sivka_algorithm algorithm, const void *nonce, size_t nonce_len);

/* Writes `key_len` random bytes, which must be the length of a key, to `key`. */
SIVKA_MUST_USE sivka_status sivka_generate_key(sivka_algorithm algorithm, void *key,
    size_t key_len);

/* Writes random nonces, one after another, to `nonces`, as sivka_seal_many() takes them.
 * _NO_RANDOM_NONCE. */
SIVKA_MUST_USE sivka_status sivka_random_nonces(sivka_algorithm algorithm, void *nonces,
    size_t nonces_len);

/* Makes a key of `key_len` uniformly random bytes, no passphrase: see sivka_generate_key(). */
SIVKA_MUST_USE sivka_status sivka_key_new(sivka_algorithm algorithm, const void *key,
    size_t key_len, sivka_key **made);

/* Makes the key for columns under one algorithm from a key file, whose content (not its path) is
 * the `text_len` bytes at `text`. Each algorithm gets its own key, derived from the key file; none
 * of them seals files: docs/spec/column-v1.md, section 3. */
SIVKA_MUST_USE sivka_status sivka_column_key_new(sivka_algorithm algorithm, const char *text,
    size_t text_len, sivka_key **made);

/* Counts the messages that sivka_seal(), and sivka_seal_column() with random nonces, seal with
 * this key from now on. More than `messages` are _USAGE_BOUND. One of more than `message_len`
 * bytes, plaintext and AAD together, is _TOO_LONG. Calls whose nonces the caller chooses are not
 * counted, nor are those of an algorithm without nonces. RFC 8452, section 9, for AES-GCM-SIV:
 * 2^29 messages of at most 1 GiB, 2^35 of 128 MiB, 2^49 of 1 MiB, 2^61 of 16 KiB. _PRIMITIVE. */
SIVKA_MUST_USE sivka_status sivka_key_set_usage_bound(sivka_key *key, uint64_t messages,
    uint64_t message_len);

/* Wipes and frees a key. */
void sivka_key_free(sivka_key *key);

/* The number of a key's algorithm; 0 if `key` is NULL, or a keyset's. */
sivka_algorithm sivka_key_algorithm(const sivka_key *key);

/* The number of bytes that sivka_seal() writes for a plaintext of `plaintext_len` bytes.
 * 0 if `key` is NULL, or if no memory is so large. */
size_t sivka_key_seal_len(const sivka_key *key, size_t plaintext_len);

/* The capacity that sivka_open() needs for a sealed message of `sealed_len` bytes: as
 * long as the plaintext, or a little longer if keys of a keyset seal to different
 * lengths. 0 also if `key` is NULL, and for a message that is too short to open. */
size_t sivka_key_open_len(const sivka_key *key, size_t sealed_len);

/* Seals a message, and writes the length of the output to `written_len` unless that is NULL.
 * Allocates nothing, except at a thread's first failure and random nonce.
 * _REFUSED, _NO_RANDOM_NONCE, _USAGE_BOUND; for a list _ALGORITHM. Nothing is sealed after a
 * failure, no plaintext is where none was, and what was to be encrypted in place is as it was. */
SIVKA_MUST_USE sivka_status sivka_seal(const sivka_key *key, const sivka_message *message,
    size_t *written_len);

/* Opens what sivka_seal() wrote, and writes the length of the output to `written_len` unless that
 * is NULL. Allocates nothing, except at a thread's first failure and random nonce.
 * _OPEN: the output holds zeros, also in place. _NO_RANDOM_NONCE; for a list _ALGORITHM. There is
 * no plaintext in any buffer after a failure. */
SIVKA_MUST_USE sivka_status sivka_open(const sivka_key *key, const sivka_message *message,
    size_t *written_len);

/* Writes to `len` how many bytes sivka_seal_column() writes for these values. */
SIVKA_MUST_USE sivka_status sivka_sealed_column_len(const sivka_key *key, size_t count,
    const sivka_column *values, size_t *len);

/* Writes to `len` how many bytes sivka_open_column() writes for these rows. */
SIVKA_MUST_USE sivka_status sivka_opened_column_len(const sivka_key *key, size_t count,
    const sivka_column *sealed, size_t *len);

/* Seals `count` values to rows that are ready to store: each what sivka_seal() would write, nonce,
 * ciphertext and tag, one after the other in `sealed`, whose length sivka_sealed_column_len()
 * says. `offsets` gets `count` + 1 offsets of `offset_bits` bits, from 0 on. A null has no bytes,
 * and its row is null by the same bitmap.
 *
 * The AADs are in `aads`, that of value i from `aad_offsets[i]` up to `aad_offsets[i + 1]`; if
 * `aad_offsets` is NULL, all of `aads` is the AAD of every value. `nonces` holds `count` nonces,
 * also one for each null. If `nonces_len` is 0 and `count` is not, they are random, and count
 * against a bound set by sivka_key_set_usage_bound(). The key of a keyset takes none.
 * _TOO_LONG also if the offsets cannot say the length; _OFFSETS, _REFUSED, _NO_RANDOM_NONCE,
 * _USAGE_BOUND. Nothing was sealed then; after _RANDOM, `sealed` and `offsets` are of no use. */
SIVKA_MUST_USE sivka_status sivka_seal_column(const sivka_key *key, size_t count,
    const sivka_column *values, const void *aads, size_t aads_len, const size_t *aad_offsets,
    const void *nonces, size_t nonces_len, void *sealed, size_t sealed_len, void *offsets,
    uint32_t offset_bits);

/* Opens `count` rows that sivka_seal_column() or sivka_seal() wrote. The values are one after the
 * other in `values`, whose length sivka_opened_column_len() says, and `offsets` gets `count` + 1
 * offsets. `statuses[i]` gets the status of row i; a null is SIVKA_OK, with no bytes. The AADs are
 * as in sivka_seal_column().
 *
 * _BATCH: some rows did not open, as their statuses say, and their values are zeros. A value has
 * no bytes where its row is shorter than a nonce and a tag (_OPEN), its AAD or text is over a
 * limit (_TOO_LONG), or the key is a keyset's. The values then end at the last offset, and zeros
 * follow. All others are open. After _SELF_CHECK `offsets` is not to be used. With any other
 * status, nothing was written: _OFFSETS and those of the arguments. */
SIVKA_MUST_USE sivka_status sivka_open_column(const sivka_key *key, size_t count,
    const sivka_column *sealed, const void *aads, size_t aads_len, const size_t *aad_offsets,
    void *values, size_t values_len, void *offsets, uint32_t offset_bits, sivka_status *statuses);

/* Seals many messages in place, each as sivka_seal() would with a nonce and a tag by themselves.
 * The bytes are the same, but short messages share the CPU and take a fraction of the time.
 * _BATCH: some messages were not done and are as they were, as their statuses say; all others
 * were. With any other status, as _OFFSETS, nothing was done and no status was written. */
SIVKA_MUST_USE sivka_status sivka_seal_many(const sivka_key *key, const sivka_messages *messages);

/* Opens many messages in place.
 * _BATCH: some messages did not open, as their statuses say, and hold zeros (for _OPEN) or what
 * they held; all others are open. With any other status it is as for sivka_seal_many(). */
SIVKA_MUST_USE sivka_status sivka_open_many(const sivka_key *key, const sivka_messages *messages);

/* The record of the last failed call of this thread. Never NULL. It and its strings stay until
 * another call of this thread fails or it ends. Strings are UTF-8; paths are as they were given. */
const sivka_error *sivka_last_error(void);

/* A message for a status, in English, without a full stop. Static; never NULL. */
const char *sivka_status_message(sivka_status status);

/* The version of the library, as "1.2.3". Static; never NULL. */
const char *sivka_version(void);

/* The number of the interface of the library that was loaded. */
uint32_t sivka_abi_version(void);

/* The tier that new keys run on, which is the widest that this CPU has: "portable",
 * "avx2", "vaes256", "avx512", "neon" or a later one. Static; never NULL. */
const char *sivka_tier(void);

/* Overwrites `bytes_len` bytes with zeros, in a way that no compiler leaves out. */
void sivka_wipe(void *bytes, size_t bytes_len);

/* Seals the file at `input` into a new file at `output` for every one of `keys`, on all cores. The
 * output appears under its name when it is complete, or not at all. It has the permissions of the
 * input less the umask. `suite` is the number of a suite of the file format, or 0 for the default;
 * `flags` is 0 or SIVKA_OVERWRITE. `progress`, which may be NULL, hears how far the call is. */
SIVKA_MUST_USE sivka_status sivka_seal_file(const char *input, const char *output,
    const sivka_file_keys *keys, sivka_suite suite, uint32_t flags,
    sivka_progress_function progress, void *progress_context);

/* Opens the sealed file at `input` into a new file at `output` with `keys`. The output appears
 * when all of it is authenticated, or not at all; otherwise as sivka_seal_file(). */
SIVKA_MUST_USE sivka_status sivka_open_file(const char *input, const char *output,
    const sivka_file_keys *keys, uint32_t flags, sivka_progress_function progress,
    void *progress_context);

/* Authenticates every byte of the sealed file at `input`; otherwise as sivka_open_file(). */
SIVKA_MUST_USE sivka_status sivka_verify_file(const char *input, const sivka_file_keys *keys,
    sivka_progress_function progress, void *progress_context);

/* Makes a new random key and writes the text of its key file, without a zero at its end, to
 * `text`, and its length to `text_len`. `text_capacity` is at least SIVKA_MAX_KEY_FILE_LEN. The
 * text is a secret: only its owner may read it; wipe the buffer. `name` is for people. */
SIVKA_MUST_USE sivka_status sivka_generate_key_file(const char *name, char *text,
    size_t text_capacity, size_t *text_len);

/* sivka_generate_key_file() for a key that the caller has: `key_len` is SIVKA_FILE_KEY_LEN, and
 * the bytes must be uniformly random. */
SIVKA_MUST_USE sivka_status sivka_key_file_from_bytes(const void *key, size_t key_len,
    const char *name, char *text, size_t text_capacity, size_t *text_len);

/* Checks the path of a key file before it is opened: `path_len` bytes, without a zero at their
 * end. People give the text of a key there, or its 64 digits, and messages of the system would
 * quote it. A key file whose name is 64 such digits is `./` and its name. Every other function
 * that takes a path refuses the text of a key in the same way, and takes 64 digits for a name. */
SIVKA_MUST_USE sivka_status sivka_check_key_path(const char *path, size_t path_len);

/* Makes an empty set of keys. */
SIVKA_MUST_USE sivka_status sivka_file_keys_new(sivka_file_keys **made);

/* Wipes and frees a set of keys. */
void sivka_file_keys_free(sivka_file_keys *keys);

/* Adds the key of a key file, whose content (not its path) is the `text_len` bytes at `text`. If a
 * passphrase protects it (`sivka keygen --protect`), that is the `passphrase_len` bytes of UTF-8
 * at `passphrase`, and the file has at most 65536 bytes. The file sets the time and memory of a
 * try, at most as sivka_file_keys_set_max_cost() allows. For a key file in the clear the
 * passphrase is not read, and may be NULL with a length of 0. Nothing is added on a failure.
 * _KEY_FILE for what is no key file, or a damaged one; _EMPTY_PASSPHRASE if it needs a passphrase
 * and none is given; _WRONG_KEY if the passphrase does not open it. */
SIVKA_MUST_USE sivka_status sivka_file_keys_add_key_file(sivka_file_keys *keys, const char *text,
    size_t text_len, const char *passphrase, size_t passphrase_len);

/* Adds a passphrase: `passphrase_len` bytes of UTF-8. Sealing takes Unicode's form C of them;
 * opening also tries them as given. */
SIVKA_MUST_USE sivka_status sivka_file_keys_add_passphrase(sivka_file_keys *keys,
    const char *passphrase, size_t passphrase_len);

/* Adds recipients, for whom files are sealed from now on: the `text_len` bytes at `text` have one
 * a line, `age1...` or `age1pq1...`. Empty lines, and lines that begin with `#`, are left out. A
 * future quantum computer may open files for an `age1...` recipient. Recipients open nothing. */
SIVKA_MUST_USE sivka_status sivka_file_keys_add_recipients(sivka_file_keys *keys, const char *text,
    size_t text_len);

/* Adds identities, which open files for their recipients: the `text_len` bytes at `text` are the
 * content of a file of age's, `AGE-SECRET-KEY-1...` or `AGE-SECRET-KEY-PQ-1...` one a line.
 * Sealing with identities seals for their recipients. */
SIVKA_MUST_USE sivka_status sivka_file_keys_add_identities(sivka_file_keys *keys, const char *text,
    size_t text_len);

/* Reserves space for this many more key slots in files that are sealed from now on; unless set, 0.
 * A file has at most 64, or 54 of post-quantum recipients: sealing with more is _KEY_COUNT. */
SIVKA_MUST_USE sivka_status sivka_file_keys_set_spare_slots(sivka_file_keys *keys, size_t slots);

/* Sets the cost of one try of a passphrase in files that are sealed from now on: Argon2id (RFC
 * 9106) with `memory_kib` KiB, `passes` and `lanes`; unless set, 262144 KiB, 3 passes, 4 lanes. */
SIVKA_MUST_USE sivka_status sivka_file_keys_set_cost(sivka_file_keys *keys, uint32_t memory_kib,
    uint32_t passes, uint32_t lanes);

/* Sets the most that trying a passphrase may cost when a file is opened. The maker of the file
 * chose the cost. Without this call, 1048576 KiB and 16 passes. */
SIVKA_MUST_USE sivka_status sivka_file_keys_set_max_cost(sivka_file_keys *keys, uint32_t memory_kib,
    uint32_t passes);

/* Opens the sealed file at `input` for reading, with the one of `keys` that opens it. Its end
 * is authenticated now, so that its length is known to be right; all else when it is read. */
SIVKA_MUST_USE sivka_status sivka_file_reader_new(const char *input, const sivka_file_keys *keys,
    sivka_file_reader **made);

/* The length of the plaintext in bytes; 0 if `reader` is NULL. Where the caller gives the sealed
 * bytes, also 0 until a sivka_file_reader_read(), perhaps of 0 bytes, is SIVKA_OK. */
uint64_t sivka_file_reader_len(const sivka_file_reader *reader);

/* Reads plaintext from byte `position` on into `plaintext`, until its `plaintext_capacity` bytes
 * are full or the file ends, or, of sivka_file_reader_of_length(), as far as it was given. Writes
 * how many bytes were read to `plaintext_len`: 0 at the end and beyond it.
 * SIVKA_WANTS for a reader that is given its bytes. For a file that does not open or cannot be
 * read, `plaintext` holds zeros. Else it is as it was. */
SIVKA_MUST_USE sivka_status sivka_file_reader_read(const sivka_file_reader *reader,
    uint64_t position, void *plaintext, size_t plaintext_capacity, size_t *plaintext_len);

/* Wipes and frees a reader. */
void sivka_file_reader_free(sivka_file_reader *reader);

/* sivka_file_reader_new() for a sealed file of `input_len` bytes, which the caller reads: while
 * sivka_file_reader_read() is SIVKA_WANTS, which the first call also is to open it, pread() what
 * sivka_file_reader_wants() says, and sivka_file_reader_give() it. One thread at a time does so. */
SIVKA_MUST_USE sivka_status sivka_file_reader_of_length(uint64_t input_len,
    const sivka_file_keys *keys, sivka_file_reader **made);

/* How many bytes of the sealed file a reader wants, at most a MiB, from the one on that is written
 * to `position`. 0 if it wants none. */
size_t sivka_file_reader_wants(const sivka_file_reader *reader, uint64_t *position);

/* Gives a reader the bytes that it wants, or the first of them: then it wants the rest. 0 bytes
 * say that the sealed file ends there, as pread() does. _LENGTH for more than it wants. */
SIVKA_MUST_USE sivka_status sivka_file_reader_give(sivka_file_reader *reader, const void *bytes,
    size_t bytes_len);

/* The length of the sealed file for a plaintext of `plaintext_len` bytes, sealed for all of
 * `keys`. 0 for an unknown suite, for no keys or too many, or if no memory is so large. */
size_t sivka_seal_memory_len(const sivka_file_keys *keys, sivka_suite suite, size_t plaintext_len);

/* The capacity that sivka_open_memory() needs for the `sealed_len` bytes at `sealed`; 0
 * also if they are no sealed file, have a damaged header, or end before the first chunk. */
size_t sivka_open_memory_len(const void *sealed, size_t sealed_len);

/* Seals a plaintext in memory into a sealed file in memory, for every one of `keys`, on all cores.
 * `sealed_capacity` is at least sivka_seal_memory_len(); the length of the file is written to
 * `sealed_len` unless that is NULL.
 * _KEY_COUNT, _FILE_TOO_LONG. On a failure `sealed` holds nothing that opens. */
SIVKA_MUST_USE sivka_status sivka_seal_memory(const void *plaintext, size_t plaintext_len,
    void *sealed, size_t sealed_capacity, size_t *sealed_len, const sivka_file_keys *keys,
    sivka_suite suite);

/* Opens the sealed file of `sealed_len` bytes at `sealed` into `plaintext` with `keys`, on all
 * cores. `plaintext_capacity` is at least sivka_open_memory_len(); the length of the plaintext is
 * written to `plaintext_len` unless that is NULL. After a failure zeros are where plaintext was. */
SIVKA_MUST_USE sivka_status sivka_open_memory(const void *sealed, size_t sealed_len,
    void *plaintext, size_t plaintext_capacity, size_t *plaintext_len, const sivka_file_keys *keys);

/* Writes every intact chunk of the damaged sealed file at `input` to a new file at `output`, at
 * the same position, with zeros for lost chunks. One copy of the header must be whole. The output
 * of a damaged file is not the original: look at what was found before it is used.
 * SIVKA_OK however much was lost; _DAMAGED if too little of the header is left. After a failure no
 * file appears. Otherwise as sivka_open_file(). */
SIVKA_MUST_USE sivka_status sivka_salvage_file(const char *input, const char *output,
    const sivka_file_keys *keys, uint32_t flags, sivka_progress_function progress,
    void *progress_context, sivka_salvage **made);

/* Frees what sivka_salvage_file() made. */
void sivka_salvage_free(sivka_salvage *salvage);

/* Reads what the header of the sealed file at `input` says, without a key. */
SIVKA_MUST_USE sivka_status sivka_inspect_file(const char *input, sivka_inspection **made);

/* sivka_inspect_file() in memory; the file's first SIVKA_FILE_MAX_HEADER_LEN bytes are enough. */
SIVKA_MUST_USE sivka_status sivka_inspect_memory(const void *sealed, size_t sealed_len,
    sivka_inspection **made);

/* Frees what sivka_inspect_file() made. */
void sivka_inspection_free(sivka_inspection *inspection);

/* Writes the id of the key in a key file, whose content is the `text_len` bytes at `text`, to
 * `id`. `id_len` is SIVKA_KEY_ID_LEN. */
SIVKA_MUST_USE sivka_status sivka_key_file_id(const char *text, size_t text_len, void *id,
    size_t id_len);

/* Adds a key slot to the sealed file at `file`, which one of `keys` opens, and writes its index to
 * `slot` unless that is NULL. `added` holds exactly one key file, passphrase, recipient or
 * identity. Only the header is written, under a lock that other changes of slots wait for: if
 * another program holds it for 30 seconds, that is _READ. A crash leaves old or new slots.
 * _KEY_COUNT, also if the header has no room. After _WRITE the slots are the old ones or the new
 * ones, after any other failure the old ones. */
SIVKA_MUST_USE sivka_status sivka_add_slot(const char *file, const sivka_file_keys *keys,
    const sivka_file_keys *added, size_t *slot);

/* Removes the key slot at `slot` from the sealed file at `file`; those after it move up by one.
 * The last one stays: that is _KEY_COUNT. An old copy of the file still opens with the key of the
 * slot. Otherwise as sivka_add_slot(). */
SIVKA_MUST_USE sivka_status sivka_remove_slot(const char *file, const sivka_file_keys *keys,
    size_t slot);

/* Replaces the key slot at `slot` by one for the one key of `added`; else as sivka_add_slot(). */
SIVKA_MUST_USE sivka_status sivka_replace_slot(const char *file, const sivka_file_keys *keys,
    size_t slot, const sivka_file_keys *added);

/* Begins a sealed file for every one of `keys`, whose first bytes are the header. */
SIVKA_MUST_USE sivka_status sivka_sealer_new(const sivka_file_keys *keys, sivka_suite suite,
    sivka_sealer **made);

/* Goes on with the file by the `input_len` bytes at `input`, any number of them. Writes to
 * `input_used` how many of them were taken, which are all unless `output` is full, and to
 * `output_len` how many sealed bytes were written to `output`. Call it again with the rest. Sealed
 * bytes come out when there are enough of them: a sealer holds at most 12 MiB. An input of 1 MiB
 * and more is sealed by all cores.
 *
 * A call that is wrong takes nothing. After any other failure the file cannot be ended any more:
 * _FILE_TOO_LONG, _TOO_LONG for a keyset's stream of more than 2^32 - 1 segments. Every later call
 * is _WRITE then; after sivka_sealer_finish(), so is this one. */
SIVKA_MUST_USE sivka_status sivka_sealer_update(sivka_sealer *sealer, const void *input,
    size_t input_len, size_t *input_used, void *output, size_t output_capacity, size_t *output_len);

/* Ends the file: writes the last bytes to `output`, and their number to `output_len`. Call it
 * until that is 0, as it stays then. Without it the file is cut short, and does not open.
 * _CAPACITY if `output_capacity` is 0; and as sivka_sealer_update(). */
SIVKA_MUST_USE sivka_status sivka_sealer_finish(sivka_sealer *sealer, void *output,
    size_t output_capacity, size_t *output_len);

/* Wipes and frees a sealer. A file that was not ended does not open: that is how to give one up. */
void sivka_sealer_free(sivka_sealer *sealer);

/* Makes an opener for a sealed file, with the one of `keys` that opens it. */
SIVKA_MUST_USE sivka_status sivka_opener_new(const sivka_file_keys *keys, sivka_opener **made);

/* Takes the next `input_len` bytes of a sealed file at `input`, and writes authenticated plaintext
 * to `output`. Writes to `input_used` how many bytes were taken, which are all unless `output` is
 * full, and to `output_len` how many were written. Call it again with the rest. With an
 * `input_len` of 0 it gives the plaintext that did not go into a full `output`. The plaintext of a
 * chunk, or of a keyset's segment, comes out once it and the byte after it were taken. An input of
 * 1 MiB and more is opened by all cores.
 *
 * The output is the beginning of the plaintext. If a part would do harm, wait for the end, which
 * sivka_opener_finish() reports, and throw the output away after a failure.
 *
 * A call that is wrong takes nothing. After any other failure nothing more comes out: those of a
 * sealed file, and _OPEN for a keyset's stream that does not open, whatever is wrong with it.
 * Every later call is _READ then; after sivka_opener_finish(), so is this one. */
SIVKA_MUST_USE sivka_status sivka_opener_update(sivka_opener *opener, const void *input,
    size_t input_len, size_t *input_used, void *output, size_t output_capacity, size_t *output_len);

/* Says that the sealed file has ended. Writes the plaintext that is left to `output`, and to
 * `output_len` how many bytes these were. Call it until that is 0 with SIVKA_OK, the authentic
 * end, as it stays then. _CAPACITY if `output_capacity` is 0; _TRUNCATED if the end is missing or
 * damaged; and as sivka_opener_update(). */
SIVKA_MUST_USE sivka_status sivka_opener_finish(sivka_opener *opener, void *output,
    size_t output_capacity, size_t *output_len);

/* Wipes and frees an opener. */
void sivka_opener_free(sivka_opener *opener);

/* Writes the number of the suite with this name, in upper or lower case, to `suite`. */
SIVKA_MUST_USE sivka_status sivka_suite_from_name(const char *name, sivka_suite *suite);

/* The name of a suite, that of the default for 0, or NULL if it is not known here. Static. */
const char *sivka_suite_name(sivka_suite suite);

/* Reads a keyring from the file at `path`, which messages call `called`. A line has a name;
 * `seal`, `open` or `seal,open`; and a path. One that begins with `#` is a comment. Its owner
 * alone may write it. Every key is read now, and those of files again when they are taken.
 *
 * A program has no arguments and 20 seconds. It runs in a process group of its own, and its path
 * is written to the standard error. Windows has no programs. */
SIVKA_MUST_USE sivka_status sivka_keyring_read(const char *path, const char *called,
    sivka_keyring **made);

/* Makes a keyring of `name=place, name=place`, where each key may seal and open. Nothing is read.
 * A path has neither a comma nor an apostrophe. `called` is as for sivka_keyring_read(). */
SIVKA_MUST_USE sivka_status sivka_keyring_parse(const char *list, size_t list_len,
    const char *called, sivka_keyring **made);

/* Writes the path of the key of a name to `place`: the keyring's memory, or NULL if it has none.
 * _KEYRING for what cannot be a name. */
SIVKA_MUST_USE sivka_status sivka_keyring_path(const sivka_keyring *keyring, const char *name,
    size_t name_len, const char **place);

/* Makes the keys of a name, which needs one of `rights`: `values` for AES-256-GCM-SIV and `tokens`
 * for XChaCha20-BLAKE2b-SIV, as sivka_column_key_new(). A keyset for AEAD gives `values`, one for
 * deterministic AEAD `tokens`; the other is NULL, as both are after a failure. Unless `text` is
 * NULL, it is what the caller read for that name, which then needs no path. */
SIVKA_MUST_USE sivka_status sivka_keyring_take(const sivka_keyring *keyring, const char *name,
    size_t name_len, uint32_t rights, const void *text, size_t text_len, sivka_key **values,
    sivka_key **tokens);

/* Wipes and frees a keyring. The keys that were taken from it stay. */
void sivka_keyring_free(sivka_keyring *keyring);

/* Makes a keyset with one new key, which is its primary. `template_name` is Tink's name for it, in
 * upper or lower case. Take AES256_GCM_SIV, unless equal values must show as equal. The others are
 * AES256_SIV, AES128_GCM_SIV, AES256_GCM, AES128_GCM, CHACHA20_POLY1305, XCHACHA20_POLY1305,
 * XAES_256_GCM_192_BIT_NONCE, XAES_256_GCM_160_BIT_NONCE. With `_RAW` after it, what the key seals
 * has no prefix. For streams: AES256_GCM_HKDF_1MB,
 * AES256_CTR_HMAC_SHA256_1MB, both also with AES128 and with segments of 4KB. */
SIVKA_MUST_USE sivka_status sivka_keyset_generate(const char *template_name, sivka_keyset **made);

/* Copies a keyset, keys and all. */
SIVKA_MUST_USE sivka_status sivka_keyset_copy(const sivka_keyset *keyset, sivka_keyset **made);

/* Wipes and frees a keyset. */
void sivka_keyset_free(sivka_keyset *keyset);

/* Reads the keyset in the clear of `input_len` bytes at `input`. Insecure where others can read or
 * change them. `flags` are SIVKA_KEYSET_BINARY or _JSON, and SIVKA_KEYSET_DUPLICATE_IDS.
 * _KEYSET for what is no keyset in this form, is longer than SIVKA_KEYSET_MAX_LEN, or breaks a
 * rule. _KEY_TYPE for an enabled key of a type or version that this library does not have.
 * sivka_last_error() says at which byte and field, or which key, and quotes no key. */
SIVKA_MUST_USE sivka_status sivka_keyset_from_insecure(const void *input, size_t input_len,
    uint32_t flags, sivka_keyset **made);

/* Writes a keyset in the clear to `output`: it holds the keys. Keep it where only its owner reads,
 * or use sivka_keyset_encrypt(). `flags` is SIVKA_KEYSET_BINARY or SIVKA_KEYSET_JSON, which is
 * UTF-8 without a terminating zero. JSON of one keyset differs from writer to writer: neither
 * compare nor sign it. The length is written to `written_len` unless that is NULL; also on
 * _CAPACITY: it is the capacity that is needed then, and a call with a capacity of 0 asks for it.
 * _KEY_ID if several keys have one id; _TOO_LONG beyond SIVKA_KEYSET_MAX_LEN. `output` is as it
 * was after a failure. */
SIVKA_MUST_USE sivka_status sivka_keyset_to_insecure(const sivka_keyset *keyset, uint32_t flags,
    void *output, size_t capacity, size_t *written_len);

/* Decrypts the keyset of `input_len` bytes at `input` under `master`, a key of this library or one
 * that a keyset for AEAD gave. The AAD is what it was encrypted with: Tink's older calls and
 * tinkey have none. Anything beside the encrypted keyset (in JSON, its info) is not authenticated,
 * and not used. `flags` and other statuses are as for sivka_keyset_from_insecure().
 * _OPEN for a wrong key, wrong AAD, or damage; _PRIMITIVE if `master` is a keyset's for
 * deterministic AEAD. */
SIVKA_MUST_USE sivka_status sivka_keyset_decrypt(const sivka_key *master, const void *aad,
    size_t aad_len, const void *input, size_t input_len, uint32_t flags, sivka_keyset **made);

/* Writes the encrypted part of the encrypted keyset of `input_len` bytes at `input` to
 * `ciphertext`, for a key-management service to decrypt. The answer is a keyset in the clear, for
 * sivka_keyset_from_insecure() with SIVKA_KEYSET_BINARY. `flags` as for that function, `capacity`
 * and `written_len` as for sivka_keyset_to_insecure().
 * _KEYSET for what is no encrypted keyset in this form. */
SIVKA_MUST_USE sivka_status sivka_encrypted_keyset_ciphertext(const void *input, size_t input_len,
    uint32_t flags, void *ciphertext, size_t capacity, size_t *written_len);

/* Encrypts a keyset under `master`, as sivka_keyset_decrypt() takes it, and writes it to `output`.
 * The AAD is not in it: who decrypts must know it. Binary says nothing of the keys; JSON says
 * their ids, types and statuses in the clear, as Java, Go and Python have it. Each call draws
 * another nonce, and the length is always the same. Otherwise as sivka_keyset_to_insecure().
 * _USAGE_BOUND; _NO_RANDOM_NONCE for a key whose nonces the caller chooses; _PRIMITIVE if `master`
 * is a keyset's for deterministic AEAD. */
SIVKA_MUST_USE sivka_status sivka_keyset_encrypt(const sivka_keyset *keyset,
    const sivka_key *master, const void *aad, size_t aad_len, uint32_t flags, void *output,
    size_t capacity, size_t *written_len);

/* Writes the encrypted keyset whose encrypted part is the `ciphertext_len` bytes at `ciphertext`,
 * to `output`. A key-management service made that part of the keyset in the form of
 * sivka_keyset_to_insecure() with SIVKA_KEYSET_BINARY. Nothing here checks that they belong
 * together. Otherwise as that function; _LENGTH if `ciphertext_len` is 0. */
SIVKA_MUST_USE sivka_status sivka_encrypted_keyset_of(const sivka_keyset *keyset,
    const void *ciphertext, size_t ciphertext_len, uint32_t flags, void *output, size_t capacity,
    size_t *written_len);

/* The purpose of the enabled keys; SIVKA_KEYSET_MIXED also if `keyset` is NULL. */
sivka_keyset_purpose sivka_keyset_primitive(const sivka_keyset *keyset);

/* Says what may be told of a keyset. Later changes of the keyset do not change it. */
SIVKA_MUST_USE sivka_status sivka_inspect_keyset(const sivka_keyset *keyset,
    sivka_keyset_info **made);

/* Frees what sivka_inspect_keyset() made. */
void sivka_keyset_info_free(sivka_keyset_info *info);

/* Makes a key of the enabled keys of a keyset, which are for `purpose`, SIVKA_KEYSET_AEAD or
 * SIVKA_KEYSET_DETERMINISTIC_AEAD. Later changes of the keyset do not change the key.
 *
 * It is for sivka_seal(), sivka_open(), sivka_seal_column(), sivka_open_column() and the functions
 * for their lengths; sivka_key_seal_len() gives the capacity. The primary key seals, and draws
 * nonce and salt: prefix, nonce, ciphertext and tag are written. Keys with the message's prefix
 * are tried on it, then those without any. The output overlaps no input. Other calls: _PRIMITIVE.
 *
 * No AEAD of a keyset commits to its key: who may choose keys of a keyset can make a message that
 * opens under two of them. With SIVKA_KEYSET_DETERMINISTIC_AEAD, equal plaintexts under equal AAD
 * are sealed to equal bytes, and everybody sees that they are equal. After SIVKA_KEYSET_PROMOTE
 * they are sealed to other bytes than before.
 * _KEY_TYPE for keys that are with a key-management service. */
SIVKA_MUST_USE sivka_status sivka_keyset_key(const sivka_keyset *keyset,
    sivka_keyset_purpose purpose, sivka_key **made);

/* Adds a new key as sivka_keyset_generate() makes it, enabled, and writes its id to `id` unless
 * that is NULL. `flags` is 0 or SIVKA_KEYSET_AS_PRIMARY. Without it the key seals only when it is
 * promoted: give the keyset to all who open first, then promote the key, and give it to them
 * again. When nothing is left that the old key sealed, disable it, and later remove it.
 * _TOO_LONG beyond SIVKA_KEYSET_MAX_KEYS. The keyset is as it was after a failure. */
SIVKA_MUST_USE sivka_status sivka_keyset_add(sivka_keyset *keyset, const char *template_name,
    uint32_t flags, uint32_t *id);

/* Changes the key with this id.
 * _FLAGS for a change that there is not; _KEY_ID. _KEY_STATE if the key is the primary, not
 * enabled, or destroyed, and so cannot be changed in this way. _KEY_TYPE and _KEYSET for one to be
 * enabled that this library cannot use. The keyset is as it was after a failure. */
SIVKA_MUST_USE sivka_status sivka_keyset_change(sivka_keyset *keyset,
    sivka_keyset_change_kind change, uint32_t id);

/* Begins a stream that the primary key of a keyset for streams seals. Go on as with
 * sivka_sealer_new(). Each Tink's StreamingAead opens it. */
SIVKA_MUST_USE sivka_status sivka_keyset_sealer_new(const sivka_keyset *keyset, const void *aad,
    size_t aad_len, sivka_sealer **made);

/* Makes an opener for a stream that an enabled key of a keyset for streams has sealed: the first
 * segment decides which one, in the keyset's order. Go on as with sivka_opener_new(). */
SIVKA_MUST_USE sivka_status sivka_keyset_opener_new(const sivka_keyset *keyset, const void *aad,
    size_t aad_len, sivka_opener **made);

/* Makes a key of 32 bytes. */
SIVKA_MUST_USE sivka_status sivka_kuznyechik_new(const void *key, size_t key_len,
    sivka_kuznyechik **made);

/* Wipes and frees a key. */
void sivka_kuznyechik_free(sivka_kuznyechik *key);

/* Encrypts each block of `in_out` on its own, in place. `in_out_len` is in bytes and a multiple of
 * SIVKA_KUZNYECHIK_BLOCK_LEN; many blocks in one call are several times as fast a block. After a
 * failure `in_out` is as it was. */
SIVKA_MUST_USE sivka_status sivka_kuznyechik_encrypt_blocks(const sivka_kuznyechik *key,
    void *in_out, size_t in_out_len);

/* Decrypts each block of `in_out`, as sivka_kuznyechik_encrypt_blocks() encrypts it. */
SIVKA_MUST_USE sivka_status sivka_kuznyechik_decrypt_blocks(const sivka_kuznyechik *key,
    void *in_out, size_t in_out_len);

/* Starts the keystream of a key of 32 bytes and an IV of SIVKA_KUZNYECHIK_IV_LEN: CTR if
 * `section_len` is 0, with 2^64 blocks. Otherwise CTR-ACPKM: after every `section_len` bytes of
 * keystream, a multiple of SIVKA_KUZNYECHIK_BLOCK_LEN, the key is replaced by one made of it. */
SIVKA_MUST_USE sivka_status sivka_kuznyechik_ctr_new(const void *key, size_t key_len,
    const void *iv, size_t iv_len, uint64_t section_len, sivka_kuznyechik_ctr **made);

/* Wipes and frees a keystream. */
void sivka_kuznyechik_ctr_free(sivka_kuznyechik_ctr *ctr);

/* XORs the next `in_out_len` bytes of the keystream into `in_out`, which encrypts and decrypts
 * alike. A message may come whole or in pieces of any lengths. After a failure `in_out` is as it
 * was, and so is the keystream. */
SIVKA_MUST_USE sivka_status sivka_kuznyechik_ctr_apply_keystream(sivka_kuznyechik_ctr *ctr,
    void *in_out, size_t in_out_len);

/* Makes a key of 32 bytes for tags of `tag_len` bytes, from SIVKA_KUZNYECHIK_OMAC_MIN_TAG_LEN to
 * SIVKA_KUZNYECHIK_OMAC_MAX_TAG_LEN. A shorter tag is the beginning of a longer one, so that the
 * bytes of a key should serve one length only. */
SIVKA_MUST_USE sivka_status sivka_kuznyechik_omac_new(const void *key, size_t key_len,
    size_t tag_len, sivka_kuznyechik_omac **made);

/* Wipes and frees a key. */
void sivka_kuznyechik_omac_free(sivka_kuznyechik_omac *omac);

/* Goes on with the message by `piece_len` bytes, any number. After a failure it is as it was. */
SIVKA_MUST_USE sivka_status sivka_kuznyechik_omac_update(sivka_kuznyechik_omac *omac,
    const void *piece, size_t piece_len);

/* Writes the tag of all pieces since the key was made, or since a message last ended, to `tag`.
 * That ends the message: the next piece is the first of another one. After a failure `tag` is as
 * it was, and the message has ended only after _SELF_CHECK. */
SIVKA_MUST_USE sivka_status sivka_kuznyechik_omac_finish(sivka_kuznyechik_omac *omac, void *tag,
    size_t tag_len);

/* sivka_kuznyechik_omac_finish() that says whether the tag is `tag`: SIVKA_OK, or _OPEN if it is
 * not, which ends the message too. Takes the same time whatever the bytes are. */
SIVKA_MUST_USE sivka_status sivka_kuznyechik_omac_finish_and_verify(sivka_kuznyechik_omac *omac,
    const void *tag, size_t tag_len);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SIVKA_H */
