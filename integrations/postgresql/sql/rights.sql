-- Rights on keys: INSERT to seal, SELECT to open, either for tokens.
CREATE ROLE regress_sealer;
CREATE ROLE regress_opener;
CREATE ROLE regress_nobody;
CREATE ROLE regress_group;
GRANT INSERT ON sivka_key.patients TO regress_sealer;
GRANT SELECT ON sivka_key.patients TO regress_group;
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
GRANT INSERT ON sivka_key.patients TO regress_nobody;
SET LOCAL ROLE regress_nobody;
SELECT sealed_len();
RESET ROLE;
REVOKE INSERT ON sivka_key.patients FROM regress_nobody;
SET LOCAL ROLE regress_nobody;
SELECT sealed_len();
ROLLBACK;
-- Nothing is in the relation of a key but its name.
SELECT * FROM sivka_key.patients;
INSERT INTO sivka_key.patients VALUES ('x');
DROP VIEW opened;
DROP FUNCTION opened_for_all, sealed_len;
DROP TABLE rows;
REVOKE ALL ON sivka_key.patients FROM regress_sealer, regress_group;
DROP ROLE regress_sealer, regress_opener, regress_nobody, regress_group;
-- Only what was granted on a key counts: not what a role may read or write everywhere, nor what a database gives by default.
CREATE ROLE regress_backup IN ROLE pg_read_all_data, pg_write_all_data;
CREATE ROLE regress_reader;
SET ROLE regress_backup;
SELECT sivka_token('v', 'patients');
SELECT sivka_open(NULL::sealed, 'patients') IS NULL, sivka_try_open('\x00'::sealed, 'patients');
RESET ROLE;
ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT ON TABLES TO regress_reader, PUBLIC;
SELECT sivka_create_key('later');
SELECT has_table_privilege('regress_reader', 'sivka_key.later', 'SELECT, INSERT');
ALTER DEFAULT PRIVILEGES REVOKE ALL ON TABLES FROM regress_reader, PUBLIC;
DROP VIEW sivka_key.later;
DROP ROLE regress_backup, regress_reader;
