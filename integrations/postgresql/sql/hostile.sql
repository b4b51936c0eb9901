-- What is forged does not open, and says nothing of what it is.
CREATE TABLE hostile AS SELECT sivka_seal('a secret', 'patients', 'c') AS s, sivka_token('a secret', 'patients', 'c') AS k;
SELECT sivka_open(s, 'orders', 'c') FROM hostile;
SELECT sivka_open(s, 'patients', 'd') FROM hostile;
SELECT sivka_open_token(k, 'patients', 'd') FROM hostile;
SELECT sivka_try_open(s, 'patients', 'd') IS NULL AS sealed, sivka_try_open_token(k, 'patients', 'd') IS NULL AS token FROM hostile;
-- The two kinds are no one another.
SELECT sivka_try_open(k::bytea::sealed, 'patients', 'c') IS NULL AS as_sealed, sivka_try_open_token(s::bytea::sealed_token, 'patients', 'c') IS NULL AS as_token FROM hostile;
-- Every byte flipped, every length.
SELECT count(*) FROM hostile, generate_series(0, octet_length(s::bytea) - 1) i, generate_series(0, 7) bit
WHERE sivka_try_open(set_bit(s::bytea, 8 * i + bit, 1 - get_bit(s::bytea, 8 * i + bit))::sealed, 'patients', 'c') IS NOT NULL;
SELECT count(*) FROM hostile, generate_series(0, octet_length(k::bytea) - 1) i, generate_series(0, 7) bit
WHERE sivka_try_open_token(set_bit(k::bytea, 8 * i + bit, 1 - get_bit(k::bytea, 8 * i + bit))::sealed_token, 'patients', 'c') IS NOT NULL;
SELECT count(*) FROM hostile, generate_series(0, octet_length(s::bytea) - 1) i
WHERE sivka_try_open(substr(s::bytea, 1, i)::sealed, 'patients', 'c') IS NOT NULL;
SELECT count(*) FROM hostile, generate_series(0, octet_length(k::bytea) - 1) i
WHERE sivka_try_open_token(substr(k::bytea, 1, i)::sealed_token, 'patients', 'c') IS NOT NULL;
-- A failure is one of the query, and the session goes on.
SELECT sivka_open_text(s, 'patients', 'c') FROM hostile;
