-- Names of keys, and what is said of them.
SELECT sivka_seal('v', 'nobody');
SELECT sivka_token('v', 'nobody');
SELECT sivka_open('\x00'::sealed, 'nobody');
-- Also where no value needs the key.
SELECT sivka_seal(NULL, 'typo');
SELECT sivka_open_token(NULL, 'typo');
SELECT sivka_token(NULL, NULL) IS NULL AS a_name_that_is_null;
-- A key that is given as a name is not quoted.
\set VERBOSITY terse
SELECT sivka_seal('v', '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
SELECT sivka_seal('v', '');
SELECT sivka_seal('v', 'a b');
SELECT sivka_seal('v', 'ü');
SELECT sivka_create_key('a b');
SELECT sivka_create_key(NULL);
SELECT sivka_create_key('patients');
SELECT sivka_create_key('never_configured');
\set VERBOSITY default
-- Where keys are is no matter of sessions.
SET sivka.keys = 'patients=/tmp/other';
SET sivka.other = 'x';
ALTER SYSTEM SET sivka.keys = 'key: 000102030405060708090a0b0c0d0e0f';
ALTER SYSTEM SET sivka.keys = 'patients=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
ALTER SYSTEM SET sivka.keys = 'patients=/etc/a, patients';
ALTER SYSTEM SET sivka.keys = 'patients=relative';
ALTER SYSTEM SET sivka.keys = 'patients=/etc/a, orders=/etc/b, patients=/etc/c';
ALTER SYSTEM SET sivka.keys = 'patients =/etc/a,patients=|/etc/c';
ALTER SYSTEM RESET sivka.keys;
-- The key may differ from row to row.
SELECT sivka_create_key('orders');
SELECT count(*) FROM (VALUES ('orders'), ('patients'), ('orders')) k(k), generate_series(1, 3) i
WHERE sivka_open_text(sivka_seal('v' || i, k), k) = 'v' || i;
SELECT sivka_token('v', 'orders') = sivka_token('v', 'patients') AS same_token;
-- What superusers see of keys.
SELECT * FROM sivka_keys();
DROP VIEW sivka_key.never_configured;
