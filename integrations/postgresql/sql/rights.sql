-- Rights on keys: columns of a view, one to seal, one to open; either makes tokens.
CREATE ROLE regress_sealer;
CREATE ROLE regress_opener;
CREATE ROLE regress_nobody;
CREATE ROLE regress_group;
GRANT SELECT (seal) ON sivka_key.patients TO regress_sealer;
GRANT SELECT (open) ON sivka_key.patients TO regress_group;
GRANT regress_group TO regress_opener;
CREATE TABLE rows AS SELECT sivka_seal('v', 'patients') AS s, sivka_token('v', 'patients') AS k;
GRANT SELECT ON rows TO PUBLIC;
SET ROLE regress_nobody;
SELECT sivka_seal('v', 'patients');
SELECT sivka_token('v', 'patients');
SELECT sivka_open(s, 'patients') FROM rows;
SELECT sivka_try_open(s, 'patients') FROM rows;
-- A key that nobody made known is for superusers.
SELECT sivka_seal('v', 'unknown');
SELECT setting FROM pg_settings WHERE name = 'sivka.keys';
SELECT sivka_create_key('mine');
SET ROLE regress_sealer;
SELECT octet_length(sivka_seal('v', 'patients')::bytea);
SELECT count(*) FROM rows WHERE k = sivka_token('v', 'patients');
SELECT sivka_open(s, 'patients') FROM rows;
SELECT sivka_open_token(k, 'patients') FROM rows;
SELECT sivka_seal('v', 'orders');
SET ROLE regress_opener;
SELECT sivka_open_text(s, 'patients'), sivka_open_token_text(k, 'patients') FROM rows;
SELECT count(*) FROM rows WHERE k = sivka_token('v', 'patients');
SELECT sivka_seal('v', 'patients');
RESET ROLE;
-- A view opens for those who may open; a function may do it for others.
CREATE VIEW opened AS SELECT sivka_open_text(s, 'patients') AS v FROM rows;
CREATE FUNCTION opened_for_all() RETURNS text LANGUAGE sql SECURITY DEFINER AS
    $$ SELECT sivka_open_text(s, 'patients') FROM rows $$;
GRANT SELECT ON opened TO PUBLIC;
SET ROLE regress_opener;
SELECT * FROM opened;
SET ROLE regress_nobody;
SELECT * FROM opened;
SELECT opened_for_all();
RESET ROLE;
-- One expression of a session, as other users: PL/pgSQL keeps it for the transaction.
CREATE FUNCTION sealed_len() RETURNS int LANGUAGE plpgsql AS
    $$ BEGIN RETURN octet_length(sivka_seal('v', 'patients')::bytea); END $$;
BEGIN;
SELECT sealed_len();
SET LOCAL ROLE regress_nobody;
SELECT sealed_len();
ROLLBACK;
-- What is revoked in a transaction is gone in it.
BEGIN;
GRANT SELECT (seal) ON sivka_key.patients TO regress_nobody;
SET LOCAL ROLE regress_nobody;
SELECT sealed_len();
RESET ROLE;
REVOKE SELECT (seal) ON sivka_key.patients FROM regress_nobody;
SET LOCAL ROLE regress_nobody;
SELECT sealed_len();
ROLLBACK;
-- A view whose owner is no superuser is no key: he would grant himself its rights.
BEGIN;
ALTER VIEW sivka_key.patients OWNER TO regress_sealer;
SET LOCAL ROLE regress_sealer;
GRANT SELECT (seal) ON sivka_key.patients TO regress_sealer;
SELECT sealed_len();
ROLLBACK;
DROP VIEW opened;
DROP FUNCTION opened_for_all, sealed_len;
DROP TABLE rows;
REVOKE ALL ON sivka_key.patients FROM regress_sealer, regress_group;
DROP ROLE regress_sealer, regress_opener, regress_nobody, regress_group;
-- Only what was granted on a key counts: not what a role may read or write everywhere, nor what is granted on the whole view.
CREATE ROLE regress_backup IN ROLE pg_read_all_data, pg_write_all_data;
CREATE ROLE regress_reader;
SET ROLE regress_backup;
SELECT sivka_token('v', 'patients');
SELECT sivka_open(NULL::sealed, 'patients') IS NULL, sivka_try_open('\x00'::sealed, 'patients');
RESET ROLE;
-- test_restore.py has default privileges.
GRANT ALL ON sivka_key.patients TO regress_reader;
SET ROLE regress_reader;
SELECT sivka_token('v', 'patients');
RESET ROLE;
REVOKE ALL ON sivka_key.patients FROM regress_reader;
DROP ROLE regress_backup, regress_reader;
