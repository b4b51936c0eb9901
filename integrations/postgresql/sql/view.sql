-- A view that shows what is sealed, and seals what is written.
CREATE TABLE persons (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email sealed_token UNIQUE,
    note sealed,
    "Born" sealed,
    photo sealed,
    city text DEFAULT 'Riga',
    shout text GENERATED ALWAYS AS (upper(city)) STORED
);
SELECT sivka_create_view('people_opened', 'persons', 'patients', 'id', 'email', 'note', 'Born date', 'photo bytea');
INSERT INTO people_opened (email, note, "Born", photo) VALUES ('a@example.com', 'first', '1970-01-01', '\x00ff') RETURNING id, note, city;
INSERT INTO people_opened (email, note, city) VALUES ('b@example.com', NULL, 'Oslo');
SELECT * FROM people_opened ORDER BY id;
SELECT id, octet_length(email::bytea), octet_length(note::bytea), octet_length("Born"::bytea), octet_length(photo::bytea) FROM persons ORDER BY id;
-- The context has table, column and row.
SELECT sivka_open_text(note, 'patients', 'persons.note.' || id) FROM persons WHERE id = 1;
SELECT id FROM persons WHERE email = sivka_token('a@example.com', 'patients', 'persons.email');
-- What does not change keeps its bytes.
CREATE TEMP TABLE before AS SELECT * FROM persons;
UPDATE people_opened SET note = 'second', city = 'Bern' WHERE id = 1;
SELECT a.note::bytea = b.note::bytea AS same_note, a."Born"::bytea = b."Born"::bytea AS same_born, a.email = b.email AS same_email
FROM persons a JOIN before b USING (id) WHERE id = 1;
UPDATE people_opened SET note = NULL WHERE id = 1;
SELECT note IS NULL FROM persons WHERE id = 1;
UPDATE people_opened SET id = 9 WHERE id = 1;
INSERT INTO people_opened (email) VALUES ('a@example.com');
-- What is stored does not depend on the settings of a session.
SET datestyle = 'SQL, DMY';
INSERT INTO people_opened (note, "Born") VALUES ('ninth of may', '09/05/1945') RETURNING "Born";
SET datestyle = 'SQL, MDY';
SELECT v."Born", sivka_open_text(p."Born", 'patients', 'persons.Born.' || id) FROM people_opened v JOIN persons p USING (id) WHERE v.note = 'ninth of may';
RESET datestyle;
DELETE FROM people_opened WHERE note = 'ninth of may';
-- A value that somebody moved to another row does not open.
UPDATE people_opened SET note = 'third' WHERE id = 2;
UPDATE persons SET note = (SELECT note FROM persons WHERE id = 2) WHERE id = 1;
SELECT note FROM people_opened WHERE id = 1;
DELETE FROM people_opened WHERE id = 1;
DELETE FROM persons WHERE id = 1;
INSERT INTO people_opened (note) VALUES ('gone');
DELETE FROM people_opened WHERE note = 'gone';
DELETE FROM people_opened WHERE id = 7;
SELECT count(*) FROM persons;
-- Rotation: other bytes, and a view with the new key.
UPDATE persons SET note = sivka_seal(sivka_open(note, 'patients', c), 'orders', c)
FROM (SELECT id AS i, 'persons.note.' || id AS c FROM persons) x WHERE id = i;
DROP VIEW people_opened;
DROP FUNCTION people_opened_write;
SELECT sivka_create_view('people_opened', 'persons', 'orders', 'id', 'note');
SELECT id, note, city FROM people_opened;
-- What is no table for a view.
SELECT sivka_create_view('v', 'persons', 'patients', 'city', 'note');
SELECT sivka_create_view('v', 'persons', 'patients', 'id', 'city');
SELECT sivka_create_view('v', 'persons', 'patients', 'id', 'nothing');
SELECT sivka_create_view('v', 'persons', 'patients', 'id', 'note', 'note');
SELECT sivka_create_view('v', 'persons', 'patients', 'id', 'note unknown_type');
SELECT sivka_create_view('v', 'persons', 'patients', 'id', NULL);
-- Names are quoted, whatever is in them: formats, quotes, the words of PL/pgSQL, and what would be code.
CREATE TABLE "50%s" ("i'd" int PRIMARY KEY, "by" sealed, "if" sealed_token, "loop" int,
                     "*/*/END IF;END IF;END$$;CREATE TABLE planted();select $$" int);
SELECT sivka_create_view('named_opened', '"50%s"', 'patients', 'i''d', 'by', 'if');
INSERT INTO named_opened VALUES (1, 'note', 'mail', 2);
UPDATE named_opened SET "by" = 'other', "loop" = 3;
UPDATE named_opened SET "i'd" = 2;
SELECT "by", "if", "loop", to_regclass('planted') FROM named_opened;
SELECT sivka_open_text("by", 'patients', '50%s.by.1'), sivka_open_token_text("if", 'patients', '50%s.if') FROM "50%s";
DELETE FROM named_opened;
DROP VIEW named_opened;
DROP TABLE "50%s";
-- Names with spaces, quotes, capitals and letters of more than a byte. The longest name that fits is meant.
CREATE TABLE "Our People" (
    "row id" int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "e mail" sealed_token UNIQUE,
    """q""" sealed,
    "Ünï" sealed,
    born sealed,
    "born date" sealed,
    "its city" text DEFAULT 'Riga'
);
SELECT sivka_create_view('Our "View"', '"Our People"', 'patients', 'row id', 'e mail', '"q"', 'Ünï date', 'born  date', 'born date');
INSERT INTO "Our ""View""" ("e mail", """q""", "Ünï", born, "born date") VALUES ('a@example.com', 'first', '1970-01-01', '1970-01-02', 'a day');
UPDATE "Our ""View""" SET """q""" = 'second', "Ünï" = "Ünï" + 1 WHERE "e mail" = 'a@example.com';
SELECT * FROM "Our ""View""";
SELECT "e mail" = sivka_token('a@example.com', 'patients', 'Our People.e mail') AS mail, sivka_open_text("""q""", 'patients', 'Our People."q".1') AS q,
       sivka_open_text("Ünï", 'patients', 'Our People.Ünï.1') AS uni, sivka_open_text(born, 'patients', 'Our People.born.1') AS born,
       sivka_open_text("born date", 'patients', 'Our People.born date.1') AS born_date FROM "Our People";
DELETE FROM "Our ""View""" WHERE "born date" = 'a day';
SELECT count(*) FROM "Our People";
DROP VIEW "Our ""View""";
SELECT sivka_create_view('v', '"Our People"', 'patients', 'row id', 'e  mail');
SELECT sivka_create_view('v', '"Our People"', 'patients', 'row id', 'e mail unknown_type');
SELECT sivka_create_view('v', '"Our People"', 'patients', 'row id', 'ünï');
DROP TABLE "Our People";
CREATE TABLE nested ("by" sealed, "*/*/END IF;END IF;END$$;CREATE TABLE planted();select $$" int, "i';/*" int PRIMARY KEY);
SELECT sivka_create_view('nested_opened', 'nested', 'patients', 'i'';/*', 'by');
SELECT to_regclass('planted');
DROP VIEW nested_opened;
DROP TABLE nested;
-- An id whose text depends on a session's settings would seal what another session does not open.
CREATE TABLE days (id date PRIMARY KEY, note sealed);
SELECT sivka_create_view('days_opened', 'days', 'patients', 'id', 'note');
CREATE DOMAIN day_number AS smallint;
CREATE TABLE numbered (id day_number PRIMARY KEY, note sealed);
SELECT sivka_create_view('numbered_opened', 'numbered', 'patients', 'id', 'note char(4)');
SELECT sivka_create_view('numbered_opened', 'numbered', 'patients', 'id', 'note');
INSERT INTO numbered_opened VALUES (1, 'first');
SELECT * FROM numbered_opened;
DROP VIEW numbered_opened;
DROP TABLE days, numbered;
-- Two names with dots could have one context: "note.1" of row 2, and note of row 1.2.
CREATE TABLE dotted (id text PRIMARY KEY, note sealed, "note.1" sealed);
CREATE TABLE "dotted.note" (id int PRIMARY KEY, note sealed);
SELECT sivka_create_view('dotted_opened', 'dotted', 'patients', 'id', 'note', 'note.1');
SELECT sivka_create_view('dotted_opened', '"dotted.note"', 'patients', 'id', 'note');
SELECT sivka_create_view('dotted_opened', 'dotted', 'patients', 'id', 'note');
INSERT INTO dotted_opened (id, note) VALUES ('1.2', 'kept');
SELECT * FROM dotted_opened;
DROP VIEW dotted_opened;
DROP TABLE dotted, "dotted.note";
