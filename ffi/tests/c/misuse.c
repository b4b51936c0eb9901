/* Every way to call wrongly that can be seen is a status, and writes nothing. */
#include "check.h"

#include <stdint.h>

#define ALGORITHM SIVKA_AES_256_GCM_SIV

static sivka_key *key;
static const unsigned char nonce[12];
static unsigned char text[64], other[128], tag[16];
/* What no call may write to. */
static unsigned char before_text[64], before_other[128], before_tag[16];

static void remember(void)
{
    size_t i;

    for (i = 0; i < sizeof text; i++)
        text[i] = (unsigned char)i;
    memset(other, 0x55, sizeof other);
    memset(tag, 0x66, sizeof tag);
    memcpy(before_text, text, sizeof text);
    memcpy(before_other, other, sizeof other);
    memcpy(before_tag, tag, sizeof tag);
}

static void untouched(void)
{
    CHECK(memcmp(text, before_text, sizeof text) == 0);
    CHECK(memcmp(other, before_other, sizeof other) == 0);
    CHECK(memcmp(tag, before_tag, sizeof tag) == 0);
}

#define REFUSED(status, call)           \
    do {                                \
        CHECK_STATUS(status, call);     \
        untouched();                    \
    } while (0)

/* A wrong call that names the argument. */
#define REFUSED_FOR(name, status, call)  \
    do {                                 \
        CHECK_NAMED(name, status, call); \
        untouched();                     \
    } while (0)

static void keys(void)
{
    unsigned char bytes[32] = {1};
    sivka_key *made = (sivka_key *)bytes;
    sivka_algorithm found = 77;

    REFUSED_FOR("made", SIVKA_ERROR_NULL, sivka_key_new(ALGORITHM, bytes, 32, NULL));
    REFUSED_FOR("key", SIVKA_ERROR_LENGTH, sivka_key_new(ALGORITHM, bytes, 31, &made));
    CHECK(made == NULL && strcmp(sivka_last_error()->detail, "key: 32 expected, 31 given") == 0);
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_key_new(ALGORITHM, NULL, 32, &made));
    REFUSED_FOR("algorithm", SIVKA_ERROR_ALGORITHM, sivka_key_new(0, bytes, 32, &made));
    CHECK(made == NULL);
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_algorithm_from_name("AES-256-GCM-SIV", NULL));
    CHECK(found == 77);
    CHECK_STATUS(SIVKA_OK, sivka_algorithm_from_name("aes-256-gcm-siv", &found));
    CHECK(found == ALGORITHM);
    CHECK_STATUS(SIVKA_OK, sivka_key_new(ALGORITHM, bytes, 32, &made));
    CHECK(sivka_key_algorithm(made) == ALGORITHM);
    sivka_key_free(made);
    sivka_key_free(NULL);
    CHECK(sivka_key_algorithm(NULL) == 0);
}

static void queries(void)
{
    const sivka_algorithm_info *info = NULL;
    unsigned char bytes[SIVKA_MAX_KEY_LEN] = {0};
    size_t i;

    for (i = 1; (info = sivka_inspect_algorithm(i)) != NULL; i++) {
        sivka_algorithm found = 0;

        CHECK(info->algorithm == i);
        CHECK_STATUS(SIVKA_OK, sivka_algorithm_from_name(info->name, &found));
        CHECK(found == info->algorithm && info->tag_len > 0 && info->max_plaintext_len > 1000000);
        CHECK_STATUS(SIVKA_OK, sivka_generate_key(found, bytes, info->key_len));
        CHECK(!is_zeros(bytes, info->key_len));
        sivka_wipe(bytes, info->key_len);
        CHECK(is_zeros(bytes, sizeof bytes));
    }
    CHECK(i > 12 && sivka_inspect_algorithm(0) == NULL);
    CHECK(sivka_inspect_algorithm(ALGORITHM)->random_nonces == 1);
    CHECK(sivka_key_seal_len(key, 10) == 38 && sivka_key_open_len(key, 27) == 0);
    CHECK(sivka_key_seal_len(key, SIZE_MAX) == 0 && sivka_key_seal_len(key, SIZE_MAX / 2) == 0);
    CHECK(sivka_nonce_allowed(0, bytes, 12) == 0 && sivka_nonce_allowed(ALGORITHM, NULL, 12) == 0);
    CHECK(sivka_nonce_allowed(ALGORITHM, bytes, 11) == 0);
    memset(bytes, 0xff, 12);
    CHECK(sivka_nonce_allowed(ALGORITHM, bytes, 12) == 1);
    CHECK_STATUS(SIVKA_ERROR_LENGTH, sivka_generate_key(ALGORITHM, bytes, 31));
    REFUSED_FOR("nonces", SIVKA_ERROR_LENGTH, sivka_random_nonces(ALGORITHM, bytes, 25));
    CHECK_STATUS(SIVKA_ERROR_ALGORITHM, sivka_random_nonces(0, bytes, 24));
    CHECK_STATUS(SIVKA_OK, sivka_random_nonces(ALGORITHM, NULL, 0));
    CHECK(sivka_abi_version() == SIVKA_ABI_VERSION && strlen(sivka_version()) >= 5);
}

static void one_message(void)
{
    size_t len = 99;

    REFUSED(SIVKA_ERROR_NULL, SEAL(NULL, NULL, 0, text, 64, other, 128, &len));
    REFUSED_FOR("plaintext", SIVKA_ERROR_NULL, SEAL(key, NULL, 0, NULL, 64, other, 128, &len));
    REFUSED_FOR("aad", SIVKA_ERROR_NULL, SEAL(key, NULL, 1, text, 64, other, 128, &len));
    REFUSED(SIVKA_ERROR_NULL, SEAL(key, NULL, 0, text, 64, NULL, 128, &len));
    REFUSED_FOR("sealed", SIVKA_ERROR_CAPACITY, SEAL(key, NULL, 0, text, 64, other, 91, &len));
    REFUSED(SIVKA_ERROR_TOO_LONG, SEAL(key, NULL, 0, text, SIZE_MAX, other, 128, &len));
    REFUSED(SIVKA_ERROR_TOO_LONG, SEAL(key, text, SIZE_MAX / 2 + 1, text, 0, other, 128, &len));
    /* Overlap: plaintext one byte off its place, AAD or nonce in the output. */
    REFUSED(SIVKA_ERROR_OVERLAP, SEAL(key, NULL, 0, other + 11, 64, other, 128, &len));
    REFUSED(SIVKA_ERROR_OVERLAP, SEAL(key, NULL, 0, other, 64, other, 128, &len));
    REFUSED(SIVKA_ERROR_OVERLAP, SEAL(key, other, 1, text, 64, other, 128, &len));
    REFUSED(SIVKA_ERROR_OVERLAP, SEAL(key, other + 91, 1, text, 64, other, 128, &len));
    REFUSED(SIVKA_ERROR_NULL, OPEN(key, NULL, 0, NULL, 92, text, 64, &len));
    REFUSED(SIVKA_ERROR_OPEN, OPEN(key, NULL, 0, NULL, 0, text, 64, &len));
    REFUSED(SIVKA_ERROR_CAPACITY, OPEN(key, NULL, 0, other, 92, text, 63, &len));
    REFUSED(SIVKA_ERROR_OVERLAP, OPEN(key, NULL, 0, other, 92, other, 64, &len));
    REFUSED(SIVKA_ERROR_OVERLAP, SEAL_WITH_NONCE(key, nonce, 12, NULL, 0, other + 1, 64, other, 128, &len));
    REFUSED(SIVKA_ERROR_OVERLAP, SEAL_WITH_NONCE(key, other, 12, NULL, 0, text, 64, other, 128, &len));
    REFUSED_FOR("tag", SIVKA_ERROR_LENGTH, SEAL_DETACHED(key, nonce, 12, NULL, 0, text, 64, other, 64, tag, 15));
    /* A nonce, and a tag, that is missing is not one that is drawn, and one in the buffer. */
    REFUSED(SIVKA_ERROR_LENGTH, SEAL_DETACHED(key, NULL, 0, NULL, 0, text, 64, other, 76, tag, 16));
    REFUSED(SIVKA_ERROR_NULL, SEAL_WITH_NONCE(key, NULL, 12, NULL, 0, text, 64, other, 128, &len));
    REFUSED(SIVKA_ERROR_NULL, SEAL_DETACHED(key, nonce, 12, NULL, 0, text, 64, other, 64, NULL, 16));
    REFUSED(SIVKA_ERROR_LENGTH, OPEN_DETACHED(key, NULL, 0, NULL, 0, other, 76, tag, 16, text, 64));
    REFUSED(SIVKA_ERROR_NULL, sivka_seal(key, NULL, &len));
    REFUSED(SIVKA_ERROR_NULL, SEAL_DETACHED(key, NULL, 12, NULL, 0, text, 64, other, 64, tag, 16));
    REFUSED(SIVKA_ERROR_OVERLAP, SEAL_DETACHED(key, nonce, 12, NULL, 0, text, 64, other, 64, other + 63, 16));
    REFUSED(SIVKA_ERROR_OVERLAP, SEAL_DETACHED(key, nonce, 12, NULL, 0, text, 64, text + 1, 64, tag, 16));
    REFUSED(SIVKA_ERROR_OVERLAP, OPEN_DETACHED(key, nonce, 12, NULL, 0, other, 64, text, 16, text, 64));
    REFUSED(SIVKA_ERROR_OVERLAP, OPEN_DETACHED(key, nonce, 12, text, 1, other, 64, tag, 16, text, 64));
    CHECK(len == 99);
}

/* What only some algorithms refuse. */
static void other_algorithms(void)
{
    const unsigned char bytes[32] = {7}, high_nonce[16] = {0x80}, zeros[64] = {0};
    unsigned char nonces[4096], sealed[64];
    sivka_key *mgm = NULL, *siv = NULL;
    sivka_messages many;
    sivka_status statuses[2] = {77, 77};
    size_t i, len = 99;

    CHECK_STATUS(SIVKA_ERROR_NO_RANDOM_NONCE, sivka_random_nonces(SIVKA_CHACHA20_BLAKE2B, nonces, 8));
    CHECK(sivka_inspect_algorithm(SIVKA_CHACHA20_BLAKE2B)->random_nonces == 0);

    CHECK_STATUS(SIVKA_OK, sivka_key_new(SIVKA_KUZNYECHIK_MGM, bytes, 32, &mgm));
    REFUSED(SIVKA_ERROR_REFUSED, SEAL_DETACHED(mgm, high_nonce, 16, NULL, 0, text, 64, text, 64, tag, 16));
    /* Nothing is copied before a message is known to be sealed. */
    memset(sealed, 0x11, sizeof sealed);
    CHECK_STATUS(SIVKA_ERROR_REFUSED, SEAL_DETACHED(mgm, high_nonce, 16, NULL, 0, text, 32, sealed, 32, tag, 16));
    for (i = 0; i < sizeof sealed; i++)
        CHECK(sealed[i] == 0x11);
    CHECK_STATUS(SIVKA_OK, sivka_random_nonces(SIVKA_KUZNYECHIK_MGM, nonces, sizeof nonces));
    for (i = 0; i < sizeof nonces; i += 16)
        CHECK((nonces[i] & 0x80) == 0 && sivka_nonce_allowed(SIVKA_KUZNYECHIK_MGM, nonces + i, 16) == 1);
    CHECK(sivka_nonce_allowed(SIVKA_KUZNYECHIK_MGM, high_nonce, 16) == 0);

    /* A bound counts what draws its nonce, and nothing that is refused for another reason. */
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_key_set_usage_bound(NULL, 1, 64));
    CHECK_STATUS(SIVKA_OK, sivka_key_set_usage_bound(mgm, 2, 16));
    REFUSED(SIVKA_ERROR_TOO_LONG, SEAL(mgm, NULL, 0, text, 17, other, 128, &len));
    REFUSED(SIVKA_ERROR_CAPACITY, SEAL(mgm, NULL, 0, text, 16, other, 47, &len));
    CHECK_STATUS(SIVKA_OK, SEAL(mgm, NULL, 0, text, 16, sealed, 48, &len));
    CHECK_STATUS(SIVKA_OK, SEAL(mgm, NULL, 0, text, 1, sealed, 48, &len));
    CHECK_STATUS(SIVKA_ERROR_USAGE_BOUND, SEAL(mgm, NULL, 0, text, 16, sealed, 48, &len));
    len = 99;
    CHECK_STATUS(SIVKA_OK, SEAL_DETACHED(mgm, zeros, 16, NULL, 0, text, 16, sealed, 16, sealed + 16, 16));

    /* SIV has no nonce; its nonces may be NULL, in a batch as well. */
    CHECK_STATUS(SIVKA_OK, sivka_key_new(SIVKA_XCHACHA20_BLAKE2B_SIV, bytes, 32, &siv));
    CHECK(sivka_nonce_allowed(SIVKA_XCHACHA20_BLAKE2B_SIV, NULL, 0) == 1);
    many = (sivka_messages){.count = 2, .texts = sealed, .texts_len = 64, .tags = nonces, .tags_len = 64,
                            .text_offsets = (const size_t[]){0, 7, 7}, .statuses = statuses};
    CHECK_STATUS(SIVKA_OK, sivka_seal_many(siv, &many));
    CHECK(statuses[0] == SIVKA_OK && statuses[1] == SIVKA_OK && len == 99);
    sivka_key_free(mgm);
    sivka_key_free(siv);
}

/* A batch that is right but for one field. */
#define REFUSED_WITH(status_, crypt, field, value)   \
    do {                                             \
        sivka_messages wrong_ = right;               \
                                                     \
        wrong_.field = value;                        \
        REFUSED(status_, crypt(key, &wrong_));       \
    } while (0)

static void batches(void)
{
    enum { COUNT = 3 };
    unsigned char nonces[COUNT * 12] = {0}, tags[COUNT * 16] = {0};
    unsigned char *texts[COUNT];
    const unsigned char *aads[COUNT] = {nonces, nonces, nonces};
    size_t lens[COUNT] = {10, 0, 10}, offsets[COUNT + 1] = {0, 10, 20, 30}, i;
    sivka_status statuses[COUNT] = {77, 77, 77};
    sivka_messages right = {.count = COUNT, .nonces = nonces, .nonces_len = 36, .text_list = texts,
                            .text_lens = lens, .tags = tags, .tags_len = 48, .statuses = statuses};

    texts[0] = text + 20;
    texts[1] = NULL; /* empty */
    texts[2] = text;
    REFUSED(SIVKA_ERROR_NULL, sivka_seal_many(NULL, &right));
    REFUSED(SIVKA_ERROR_NULL, sivka_seal_many(key, NULL));
    REFUSED_WITH(SIVKA_ERROR_LENGTH, sivka_seal_many, nonces_len, 35);
    REFUSED_WITH(SIVKA_ERROR_LENGTH, sivka_seal_many, tags_len, 49);
    REFUSED_WITH(SIVKA_ERROR_NULL, sivka_seal_many, text_lens, NULL);
    REFUSED_WITH(SIVKA_ERROR_NULL, sivka_seal_many, text_list, NULL);
    REFUSED_WITH(SIVKA_ERROR_NULL, sivka_seal_many, aad_list, aads);
    REFUSED_WITH(SIVKA_ERROR_NULL, sivka_seal_many, statuses, NULL);
    REFUSED_WITH(SIVKA_ERROR_TOO_LONG, sivka_seal_many, count, SIZE_MAX);
    texts[1] = text + 9;
    lens[1] = 1; /* the last byte of the third message */
    REFUSED(SIVKA_ERROR_OVERLAP, sivka_seal_many(key, &right));
    texts[1] = tags + 47;
    REFUSED(SIVKA_ERROR_OVERLAP, sivka_seal_many(key, &right));
    texts[1] = nonces;
    REFUSED(SIVKA_ERROR_OVERLAP, sivka_open_many(key, &right));
    texts[1] = NULL;
    REFUSED(SIVKA_ERROR_NULL, sivka_open_many(key, &right));
    right.text_list = NULL;
    right.text_lens = NULL;
    right.texts = text;
    right.texts_len = 64;
    REFUSED(SIVKA_ERROR_NULL, sivka_seal_many(key, &right));
    right.text_offsets = offsets;
    offsets[2] = 9;
    REFUSED(SIVKA_ERROR_OFFSETS, sivka_seal_many(key, &right));
    offsets[2] = 20;
    REFUSED_WITH(SIVKA_ERROR_OFFSETS, sivka_seal_many, texts_len, 29);
    right.aads = other;
    right.aads_len = 29;
    REFUSED_WITH(SIVKA_ERROR_OFFSETS, sivka_open_many, aad_offsets, offsets);
    REFUSED_WITH(SIVKA_ERROR_OVERLAP, sivka_seal_many, aads, text + 29);
    for (i = 0; i < COUNT; i++)
        CHECK(statuses[i] == 77);
    CHECK(is_zeros(tags, sizeof tags));
    memset(&right, 0, sizeof right);
    CHECK_STATUS(SIVKA_OK, sivka_seal_many(key, &right));
}

static void files(void)
{
    sivka_file_keys *file_keys = NULL;
    sivka_file_reader *reader = (sivka_file_reader *)text;
    char key_text[SIVKA_MAX_KEY_FILE_LEN];
    size_t len = 0;

    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_file_keys_new(NULL));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&file_keys));
    CHECK_STATUS(SIVKA_ERROR_KEY_FILE, sivka_file_keys_add_key_file(file_keys, "no", 2, NULL, 0));
    CHECK_STATUS(SIVKA_ERROR_TEXT, sivka_file_keys_add_passphrase(file_keys, "\xff", 1));
    REFUSED_FOR("passphrase", SIVKA_ERROR_EMPTY_PASSPHRASE, sivka_file_keys_add_passphrase(file_keys, NULL, 0));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_file_keys_add_passphrase(NULL, "a", 1));
    REFUSED_FOR("memory_kib", SIVKA_ERROR_COST, sivka_file_keys_set_cost(file_keys, 7, 1, 1));
    CHECK_STATUS(SIVKA_ERROR_KEY_NAME, sivka_generate_key_file("", key_text, sizeof key_text, &len));
    CHECK_STATUS(SIVKA_ERROR_CAPACITY, sivka_generate_key_file("a", key_text, 100, &len));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_seal_file(NULL, "x", file_keys, 0, 0, NULL, NULL));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_seal_file("/", "x", NULL, 0, 0, NULL, NULL));
    REFUSED_FOR("flags", SIVKA_ERROR_FLAGS, sivka_seal_file("/", "x", file_keys, 0, 2, NULL, NULL));
    REFUSED_FOR("suite", SIVKA_ERROR_SUITE, sivka_seal_file("/", "x", file_keys, 99, 0, NULL, NULL));
    CHECK(sivka_last_error()->os_code == 0);
    CHECK_STATUS(SIVKA_ERROR_READ, sivka_open_file("/no such file", "x", file_keys, 0, NULL, NULL));
    CHECK(sivka_last_error()->os_code != 0);
    CHECK_STATUS(SIVKA_ERROR_READ, sivka_file_reader_new("/no such file", file_keys, &reader));
    CHECK(reader == NULL && sivka_file_reader_len(NULL) == 0 && sivka_file_reader_wants(NULL, NULL) == 0);
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_file_reader_of_length(1, NULL, &reader));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_file_reader_give(NULL, "", 1));
    sivka_file_reader_free(NULL);
    sivka_file_keys_free(file_keys);
    sivka_file_keys_free(NULL);
}

/* A handle at a place that is none of a handle is not read: it is asked in every way that there is. */
static void misaligned(void *at)
{
    size_t used, len;

    REFUSED(SIVKA_ERROR_ALIGNMENT, SEAL(at, NULL, 0, text, 64, other, 128, &len));
    REFUSED(SIVKA_ERROR_ALIGNMENT, OPEN(at, NULL, 0, other, 128, text, 100, &len));
    REFUSED(SIVKA_ERROR_ALIGNMENT, SEAL_DETACHED(at, nonce, 12, NULL, 0, text, 64, other, 64, tag, 16));
    REFUSED(SIVKA_ERROR_ALIGNMENT, sivka_seal_many(at, &(sivka_messages){0}));
    REFUSED(SIVKA_ERROR_ALIGNMENT, sivka_key_set_usage_bound(at, 1, 1));
    CHECK(sivka_key_algorithm(at) == 0 && sivka_key_seal_len(at, 1) == 0);
    REFUSED(SIVKA_ERROR_ALIGNMENT, sivka_verify_file("/", at, NULL, NULL));
    REFUSED(SIVKA_ERROR_ALIGNMENT, sivka_file_keys_add_passphrase(at, "a", 1));
    CHECK(sivka_file_reader_len(at) == 0);
    REFUSED(SIVKA_ERROR_ALIGNMENT, sivka_file_reader_give(at, text, 1));
    REFUSED(SIVKA_ERROR_ALIGNMENT, sivka_sealer_update(at, text, 1, &used, other, 1, &len));
    REFUSED(SIVKA_ERROR_ALIGNMENT, sivka_opener_finish(at, other, 1, &len));
    REFUSED(SIVKA_ERROR_ALIGNMENT, sivka_keyset_encrypt(at, key, NULL, 0, 0, other, 128, &len));
    REFUSED(SIVKA_ERROR_ALIGNMENT, sivka_keyset_change(at, SIVKA_KEYSET_PROMOTE, 1));
    CHECK(sivka_keyset_primitive(at) == 0);
    REFUSED(SIVKA_ERROR_ALIGNMENT, sivka_kuznyechik_encrypt_blocks(at, text, 16));
    REFUSED(SIVKA_ERROR_ALIGNMENT, sivka_kuznyechik_omac_update(at, text, 1));
    CHECK_STATUS(SIVKA_ERROR_NULL, sivka_keyset_copy(NULL, NULL));
    sivka_key_free(at);
    CHECK(sivka_last_error()->status == SIVKA_ERROR_ALIGNMENT);
}

/* Which argument is wrong, and what it should be. */
static void arguments(void)
{
    static const char damaged[] = "sivka key file, version 1\nname: \xff\n";
    sivka_key *made = NULL;
    sivka_keyset *keyset = NULL;
    sivka_file_keys *file_keys = NULL;
    sivka_suite suite = 0;

    REFUSED_FOR("template_name", SIVKA_ERROR_TEMPLATE, sivka_keyset_generate("AES", &keyset));
    CHECK_STATUS(SIVKA_OK, sivka_keyset_generate("AES256_SIV", &keyset));
    REFUSED_FOR("id", SIVKA_ERROR_KEY_ID, sivka_keyset_change(keyset, SIVKA_KEYSET_PROMOTE, 0));
    REFUSED_FOR("change", SIVKA_ERROR_FLAGS, sivka_keyset_change(keyset, (sivka_keyset_change_kind)9, 0));
    REFUSED_FOR("keyset", SIVKA_ERROR_PRIMITIVE, sivka_keyset_key(keyset, SIVKA_KEYSET_AEAD, &made));
    sivka_keyset_free(keyset);

    REFUSED_FOR("name", SIVKA_ERROR_SUITE, sivka_suite_from_name("rot13", &suite));
    CHECK_STATUS(SIVKA_OK, sivka_file_keys_new(&file_keys));
    /* No word of UTF-8 where the matter is that it is no key file. */
    CHECK_STATUS(SIVKA_ERROR_KEY_FILE, sivka_file_keys_add_key_file(file_keys, "\xff\xfe", 2, NULL, 0));
    CHECK(strstr(sivka_last_error()->detail, "not a sivka key file: its first line is not ") != NULL);
    CHECK(sivka_last_error()->argument == NULL && sivka_last_error()->path == NULL);
    CHECK_STATUS(SIVKA_ERROR_KEY_FILE, sivka_file_keys_add_key_file(file_keys, damaged, sizeof damaged - 1, NULL, 0));
    CHECK(strcmp(sivka_last_error()->detail, "line 2 of the key file is malformed") == 0);
    sivka_file_keys_free(file_keys);
}

int main(void)
{
    const unsigned char bytes[32] = {7};

    CHECK(sivka_last_error()->status == SIVKA_OK && sivka_last_error()->detail[0] == '\0');
    CHECK_STATUS(SIVKA_OK, sivka_key_new(ALGORITHM, bytes, sizeof bytes, &key));
    remember();
    keys();
    queries();
    one_message();
    other_algorithms();
    batches();
    files();
    /* An odd address is none of any structure here, and four bytes off is none of a pointer. */
    misaligned((char *)key + 1);
    misaligned((char *)key + sizeof(void *) / 2);
    misaligned((void *)1);
    arguments();
    sivka_key_free(key);
    return report();
}
