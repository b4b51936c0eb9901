-- What the functions give: the same bytes as other engines, and NULL for NULL.
CREATE EXTENSION sivka;
SELECT sivka_create_key('patients');
SELECT sivka_token('4711', 'patients', 'visits.id');
SELECT sivka_token('\x34373131'::bytea, 'patients', 'visits.id') = sivka_token('4711', 'patients', 'visits.id') AS same;
SELECT sivka_token('4711', 'patients') = sivka_token('4711', 'patients', '') AS same,
       sivka_token('4711', 'patients') = sivka_token('4711', 'patients', 'c') AS other_context;
SELECT octet_length(sivka_seal('', 'patients')::bytea), octet_length(sivka_token('', 'patients')::bytea);
SELECT sivka_open(sivka_seal('a value', 'patients', 'c'), 'patients', 'c'),
       sivka_open_text(sivka_seal('a value', 'patients', 'c'), 'patients', 'c'),
       sivka_open_jsonb(sivka_seal('{"b": [1, null], "a": "ü"}'::jsonb, 'patients'), 'patients'),
       sivka_open_text(sivka_seal('{"b": 1,  "a": 2}'::jsonb, 'patients'), 'patients') AS json_text;
SELECT sivka_open_token(sivka_token('a value', 'patients'), 'patients'),
       sivka_open_token_text(sivka_token('a value', 'patients'), 'patients');
SELECT sivka_seal(NULL::text, 'patients') IS NULL AS seal, sivka_token(NULL::text, 'patients') IS NULL AS token,
       sivka_open(NULL::sealed, 'patients') IS NULL AS open, sivka_seal(NULL::text, NULL, NULL) IS NULL AS all_null;
-- A lost context or key would lose the value.
SELECT sivka_seal('v', 'patients', NULL);
SELECT sivka_token('v', NULL);
SELECT sivka_open(sivka_seal('v', 'patients'), 'patients', NULL);
-- Two seals of a constant are two seals.
SELECT count(DISTINCT s::bytea) FROM (SELECT sivka_seal('v', 'patients') AS s FROM generate_series(1, 1000)) x;
-- What is volatile, and what may run in parallel.
SELECT p.proname, p.provolatile, p.proparallel, p.proisstrict, p.proleakproof, count(*)
FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.deptype = 'e' JOIN pg_extension e ON e.oid = d.refobjid
WHERE e.extname = 'sivka' AND p.proname LIKE 'sivka_%' AND p.prolang = (SELECT oid FROM pg_language WHERE lanname = 'c')
GROUP BY 1, 2, 3, 4, 5 ORDER BY 1;
-- No index and no generated column has plaintext, or depends on a key.
CREATE TABLE t (i int PRIMARY KEY, s sealed, k sealed_token);
CREATE INDEX ON t (sivka_open_text(s, 'patients'));
ALTER TABLE t ADD COLUMN g text GENERATED ALWAYS AS (sivka_open_text(s, 'patients')) STORED;
ALTER TABLE t ADD COLUMN g sealed_token GENERATED ALWAYS AS (sivka_token(i::text, 'patients')) STORED;
