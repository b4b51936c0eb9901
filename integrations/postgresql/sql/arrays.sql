-- Arrays: one call for many values.
SELECT sivka_open_text(sivka_seal(ARRAY['a', NULL, '', 'd'], 'patients'), 'patients');
SELECT sivka_open(sivka_seal(ARRAY['\x00ff', NULL]::bytea[], 'patients', 'c'), 'patients', 'c');
SELECT sivka_token(ARRAY['a', 'a', 'b'], 'patients', ARRAY['c', 'c', 'c'])
     = ARRAY[sivka_token('a', 'patients', 'c'), sivka_token('a', 'patients', 'c'), sivka_token('b', 'patients', 'c')] AS same;
SELECT sivka_open_text(sivka_seal(ARRAY[['a', 'b'], ['c', 'd']], 'patients', ARRAY['1', '2', '3', '4']), 'patients', ARRAY['1', '2', '3', '4']);
SELECT array_dims(sivka_seal('[5:6]={a,b}'::text[], 'patients'));
SELECT sivka_seal('{}'::text[], 'patients');
SELECT sivka_seal(NULL::text[], 'patients');
SELECT sivka_seal(ARRAY['a', 'b'], 'patients', ARRAY['c']);
SELECT sivka_seal(ARRAY['a', 'b'], 'patients', ARRAY['c', NULL]);
SELECT cardinality(sivka_seal(ARRAY['a', NULL], 'patients', ARRAY['c', NULL])) AS a_null_needs_no_context;
SELECT sivka_try_open_text(sivka_seal(ARRAY['a', 'b', 'c'], 'patients', ARRAY['1', '2', '3']), 'patients', ARRAY['1', '1', '3']);
SELECT sivka_open_text(sivka_seal(ARRAY['a', 'b'], 'patients', ARRAY['1', '2']), 'patients', ARRAY['1', '1']);
SELECT sivka_open_token_text(sivka_token(ARRAY['a', NULL], 'patients'), 'patients'),
       sivka_try_open_token(ARRAY['\x00', NULL]::sealed_token[], 'patients');
-- Rows in bulk, each under its own context.
CREATE TABLE bulk (id int PRIMARY KEY, note sealed);
INSERT INTO bulk
SELECT r.* FROM (SELECT array_agg(i) AS ids, array_agg('note ' || i) AS notes, array_agg('bulk.note.' || i) AS contexts
                 FROM generate_series(1, 5000) i GROUP BY i / 1000) g,
     unnest(ids, sivka_seal(notes, 'patients', contexts)) r;
SELECT count(*) FROM bulk WHERE sivka_open_text(note, 'patients', 'bulk.note.' || id) = 'note ' || id;
