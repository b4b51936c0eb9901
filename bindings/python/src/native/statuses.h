/* Written from the crate sivka-ffi by `cargo xtask interface`; do not edit. */
#ifndef SIVKA_PYTHON_STATUSES_H
#define SIVKA_PYTHON_STATUSES_H

/* Every status but OK and BATCH, which are no exceptions. */
#define STATUSES(each) \
    each(OPEN) \
    each(NULL) \
    each(LENGTH) \
    each(CAPACITY) \
    each(TOO_LONG) \
    each(OVERLAP) \
    each(ALIGNMENT) \
    each(ALGORITHM) \
    each(NO_RANDOM_NONCE) \
    each(OFFSETS) \
    each(TEXT) \
    each(FLAGS) \
    each(SUITE) \
    each(EMPTY_PASSPHRASE) \
    each(COST) \
    each(KEY_NAME) \
    each(KEY_COUNT) \
    each(USAGE_BOUND) \
    each(REFUSED) \
    each(SLOT) \
    each(TEMPLATE) \
    each(KEY_ID) \
    each(KEY_STATE) \
    each(PRIMITIVE) \
    each(KEY_TEXT) \
    each(RANDOM) \
    each(SELF_CHECK) \
    each(NO_MEMORY) \
    each(INTERNAL) \
    each(NOT_SIVKA) \
    each(NEWER) \
    each(DAMAGED) \
    each(TRUNCATED) \
    each(WRONG_KEY) \
    each(COST_LIMIT) \
    each(FILE_TOO_LONG) \
    each(KEY_FILE) \
    each(READ) \
    each(WRITE) \
    each(EXISTS) \
    each(CANCELLED) \
    each(KEYSET) \
    each(KEY_TYPE) \
    each(AGE_KEY)

#endif
