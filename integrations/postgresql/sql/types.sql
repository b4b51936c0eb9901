-- The types: what goes in and out, what compares, and what does not.
CREATE TABLE people (id int PRIMARY KEY, note sealed, email sealed_token);
INSERT INTO people SELECT i, sivka_seal('note ' || i, 'patients'), sivka_token('e' || i % 100, 'patients')
FROM generate_series(1, 1000) i;
-- No plaintext by mistake, and no message with it.
INSERT INTO people (id, note) VALUES (0, 'a note that nobody sealed');
INSERT INTO people (id, note) VALUES (0, '\xabc');
INSERT INTO people (id, note) VALUES (0, '\xno');
INSERT INTO people (id, note) VALUES (0, 'note'::text);
INSERT INTO people (id, note) VALUES (0, 'note'::bytea);
UPDATE people SET note = email;
SELECT note LIKE '%x' FROM people;
SELECT upper(note) FROM people;
SELECT '\xABcd'::sealed, '\x'::sealed_token, '\xabcd'::sealed::bytea, '\xabcd'::bytea::sealed;
SET bytea_output = escape;
SELECT '\x61'::sealed, '\x61'::sealed_token;
RESET bytea_output;
-- A seal has no equality: the same value is other bytes each time.
SELECT count(*) FROM people a JOIN people b USING (note);
SELECT DISTINCT note FROM people;
SELECT note FROM people ORDER BY note;
SELECT note FROM people GROUP BY note;
SELECT count(DISTINCT note) FROM people;
SELECT note FROM people UNION SELECT note FROM people;
SELECT count(*) FROM people WHERE note IN (SELECT note FROM people);
CREATE INDEX ON people (note);
CREATE INDEX ON people USING hash (note);
-- Only whole rows are compared, as replication does.
SELECT count(*) FROM (SELECT note FROM people LIMIT 3) a, (SELECT note FROM people LIMIT 3) b WHERE a IS NOT DISTINCT FROM b;
-- A lateral query is not remembered by what cannot be hashed.
SELECT count(*) FROM people a, LATERAL (SELECT FROM people b WHERE b.id = 1 AND sivka_open_text(a.note, 'patients') = 'note 1' OFFSET 0) x;
-- A token has.
SELECT count(DISTINCT email), count(*) FROM people;
SELECT count(*) FROM people a JOIN people b USING (email);
SELECT count(*) FROM people WHERE email = sivka_token('e7', 'patients');
SELECT count(*) FROM people WHERE email <> sivka_token('e7', 'patients');
SELECT count(*) FROM (SELECT email FROM people GROUP BY email) x;
SELECT email = ANY (ARRAY[sivka_token('e1', 'patients')]) FROM people WHERE id = 1;
SELECT bool_and(a.email < b.email) FROM (SELECT email, row_number() OVER (ORDER BY email) n FROM (SELECT DISTINCT email FROM people) x) a
JOIN (SELECT email, row_number() OVER (ORDER BY email) n FROM (SELECT DISTINCT email FROM people) x) b ON b.n = a.n + 1;
SELECT max(email) FROM people;
-- Both kinds of index, for a query by token and for a join.
CREATE INDEX by_tree ON people (email);
ANALYZE people;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS off) SELECT id FROM people WHERE email = sivka_token('e7', 'patients');
SELECT id FROM people WHERE email = sivka_token('e7', 'patients') ORDER BY id LIMIT 2;
DROP INDEX by_tree;
CREATE INDEX by_hash ON people USING hash (email);
EXPLAIN (COSTS off) SELECT id FROM people WHERE email = sivka_token('e7', 'patients');
SELECT id FROM people WHERE email = sivka_token('e7', 'patients') ORDER BY id LIMIT 2;
RESET enable_seqscan;
RESET enable_bitmapscan;
SET enable_nestloop = off;
SET enable_mergejoin = off;
EXPLAIN (COSTS off) SELECT count(*) FROM people a JOIN people b USING (email);
SET enable_hashjoin = off;
SET enable_mergejoin = on;
EXPLAIN (COSTS off) SELECT count(*) FROM people a JOIN people b USING (email);
SELECT count(*) FROM people a JOIN people b USING (email);
-- Partitions by token, unique tokens, foreign keys.
CREATE TABLE parted (email sealed_token PRIMARY KEY) PARTITION BY HASH (email);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parted SELECT DISTINCT email FROM people;
SELECT (SELECT count(*) FROM parted_0) BETWEEN 20 AND 80 AS spread, count(*) FROM parted;
INSERT INTO parted VALUES (sivka_token('e1', 'patients'));
ALTER TABLE people ADD FOREIGN KEY (email) REFERENCES parted;
INSERT INTO people VALUES (0, NULL, sivka_token('unknown', 'patients'));
-- Kept as it is: no compression is tried on what is random.
SELECT typname, typstorage FROM pg_type WHERE typname IN ('sealed', 'sealed_token') ORDER BY 1;
