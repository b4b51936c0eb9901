-- The objects of the extension. The functions' names and bytes are those of the other engines:
-- docs/columns.md.
\echo Use "CREATE EXTENSION sivka" to load this file. \quit

-- A view here stands for a key: SELECT on its columns seal and open are the rights to do so.
CREATE SCHEMA sivka_key;
GRANT USAGE ON SCHEMA sivka_key TO PUBLIC;

-- No query compares sealed values: the same value is sealed to other bytes each time.
CREATE TYPE sealed;
CREATE FUNCTION sealed_in(cstring) RETURNS sealed AS 'MODULE_PATHNAME', 'sealed_in'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sealed_out(sealed) RETURNS cstring AS 'MODULE_PATHNAME', 'sealed_out'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sealed_recv(internal) RETURNS sealed AS 'MODULE_PATHNAME', 'sealed_recv'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sealed_send(sealed) RETURNS bytea AS 'MODULE_PATHNAME', 'sealed_send'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sealed_analyze(internal) RETURNS boolean AS 'MODULE_PATHNAME', 'sealed_analyze'
    LANGUAGE C STRICT PARALLEL SAFE;
CREATE TYPE sealed (
    INPUT = sealed_in, OUTPUT = sealed_out, RECEIVE = sealed_recv, SEND = sealed_send, ANALYZE = sealed_analyze,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external
);
COMMENT ON TYPE sealed IS 'what sivka_seal gives: different each time, so that it has no equality';
-- Explicit only: plaintext becomes no sealed value by accident, nor a sealed value text.
CREATE CAST (sealed AS bytea) WITHOUT FUNCTION;
CREATE CAST (bytea AS sealed) WITHOUT FUNCTION;

-- Logical replication looks for a row without a key by an equality of all its columns, which it takes from
-- an operator class. A query finds no operator in this schema, and a class without a function can
-- neither hash nor index.
CREATE FUNCTION sivka_key.sealed_eq(sealed, sealed) RETURNS boolean AS 'MODULE_PATHNAME', 'token_eq'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE OPERATOR sivka_key.= (
    LEFTARG = sealed, RIGHTARG = sealed, FUNCTION = sivka_key.sealed_eq, COMMUTATOR = OPERATOR(sivka_key.=)
);
CREATE OPERATOR CLASS sivka_key.sealed_ops DEFAULT FOR TYPE sealed USING hash AS OPERATOR 1 sivka_key.=;

-- Tokens compare as bytes do.
CREATE TYPE sealed_token;
CREATE FUNCTION sealed_token_in(cstring) RETURNS sealed_token AS 'MODULE_PATHNAME', 'sealed_in'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sealed_token_out(sealed_token) RETURNS cstring AS 'MODULE_PATHNAME', 'sealed_out'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sealed_token_recv(internal) RETURNS sealed_token AS 'MODULE_PATHNAME', 'sealed_recv'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sealed_token_send(sealed_token) RETURNS bytea AS 'MODULE_PATHNAME', 'sealed_send'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE TYPE sealed_token (
    INPUT = sealed_token_in, OUTPUT = sealed_token_out, RECEIVE = sealed_token_recv, SEND = sealed_token_send,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external
);
COMMENT ON TYPE sealed_token IS 'what sivka_token gives: equal for equal values, keys and contexts';
-- Explicit only: plaintext becomes no sealed value by accident, nor a sealed value text.
CREATE CAST (sealed_token AS bytea) WITHOUT FUNCTION;
CREATE CAST (bytea AS sealed_token) WITHOUT FUNCTION;

CREATE FUNCTION sealed_token_eq(sealed_token, sealed_token) RETURNS boolean AS 'MODULE_PATHNAME', 'token_eq'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sealed_token_ne(sealed_token, sealed_token) RETURNS boolean AS 'MODULE_PATHNAME', 'token_ne'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sealed_token_lt(sealed_token, sealed_token) RETURNS boolean AS 'MODULE_PATHNAME', 'token_lt'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sealed_token_le(sealed_token, sealed_token) RETURNS boolean AS 'MODULE_PATHNAME', 'token_le'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sealed_token_gt(sealed_token, sealed_token) RETURNS boolean AS 'MODULE_PATHNAME', 'token_gt'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sealed_token_ge(sealed_token, sealed_token) RETURNS boolean AS 'MODULE_PATHNAME', 'token_ge'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sealed_token_cmp(sealed_token, sealed_token) RETURNS integer AS 'MODULE_PATHNAME', 'token_cmp'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sealed_token_sort(internal) RETURNS void AS 'MODULE_PATHNAME', 'token_sort'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sealed_token_hash(sealed_token) RETURNS integer AS 'MODULE_PATHNAME', 'token_hash'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sealed_token_hash(sealed_token, bigint) RETURNS bigint AS 'MODULE_PATHNAME', 'token_hash_extended'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

-- In pg_catalog, so that a query needs no search_path for them, and finds no other before them.
CREATE OPERATOR pg_catalog.= (
    LEFTARG = sealed_token, RIGHTARG = sealed_token, FUNCTION = sealed_token_eq,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
CREATE OPERATOR pg_catalog.<> (
    LEFTARG = sealed_token, RIGHTARG = sealed_token, FUNCTION = sealed_token_ne,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = sealed_token, RIGHTARG = sealed_token, FUNCTION = sealed_token_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = sealed_token, RIGHTARG = sealed_token, FUNCTION = sealed_token_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = sealed_token, RIGHTARG = sealed_token, FUNCTION = sealed_token_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = sealed_token, RIGHTARG = sealed_token, FUNCTION = sealed_token_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR CLASS sealed_token_ops DEFAULT FOR TYPE sealed_token USING btree AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
    FUNCTION 1 sealed_token_cmp(sealed_token, sealed_token),
    FUNCTION 2 sealed_token_sort(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS sealed_token_ops DEFAULT FOR TYPE sealed_token USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 sealed_token_hash(sealed_token),
    FUNCTION 2 sealed_token_hash(sealed_token, bigint);

-- None is STRICT: a NULL value gives NULL, and a NULL key or context fails, because it would lose
-- the value. What opens or makes a token is STABLE: the key of a name may be another one tomorrow.
-- They do not run in parallel workers, each of which would read a file, or run a program, anew.

CREATE FUNCTION sivka_seal(value text, key text, context text DEFAULT '') RETURNS sealed
    AS 'MODULE_PATHNAME', 'value_seal_text' LANGUAGE C VOLATILE PARALLEL RESTRICTED;
CREATE FUNCTION sivka_seal(value bytea, key text, context text DEFAULT '') RETURNS sealed
    AS 'MODULE_PATHNAME', 'value_seal' LANGUAGE C VOLATILE PARALLEL RESTRICTED;
CREATE FUNCTION sivka_seal(value jsonb, key text, context text DEFAULT '') RETURNS sealed
    AS 'MODULE_PATHNAME', 'value_seal_jsonb' LANGUAGE C VOLATILE PARALLEL RESTRICTED;
CREATE FUNCTION sivka_open(sealed sealed, key text, context text DEFAULT '') RETURNS bytea
    AS 'MODULE_PATHNAME', 'value_open' LANGUAGE C STABLE PARALLEL RESTRICTED;
CREATE FUNCTION sivka_open_text(sealed sealed, key text, context text DEFAULT '') RETURNS text
    AS 'MODULE_PATHNAME', 'value_open_text' LANGUAGE C STABLE PARALLEL RESTRICTED;
CREATE FUNCTION sivka_open_jsonb(sealed sealed, key text, context text DEFAULT '') RETURNS jsonb
    AS 'MODULE_PATHNAME', 'value_open_jsonb' LANGUAGE C STABLE PARALLEL RESTRICTED;
CREATE FUNCTION sivka_try_open(sealed sealed, key text, context text DEFAULT '') RETURNS bytea
    AS 'MODULE_PATHNAME', 'value_try_open' LANGUAGE C STABLE PARALLEL RESTRICTED;
CREATE FUNCTION sivka_try_open_text(sealed sealed, key text, context text DEFAULT '') RETURNS text
    AS 'MODULE_PATHNAME', 'value_try_open_text' LANGUAGE C STABLE PARALLEL RESTRICTED;
CREATE FUNCTION sivka_try_open_jsonb(sealed sealed, key text, context text DEFAULT '') RETURNS jsonb
    AS 'MODULE_PATHNAME', 'value_try_open_jsonb' LANGUAGE C STABLE PARALLEL RESTRICTED;
CREATE FUNCTION sivka_token(value text, key text, context text DEFAULT '') RETURNS sealed_token
    AS 'MODULE_PATHNAME', 'value_token_text' LANGUAGE C STABLE PARALLEL RESTRICTED;
CREATE FUNCTION sivka_token(value bytea, key text, context text DEFAULT '') RETURNS sealed_token
    AS 'MODULE_PATHNAME', 'value_token' LANGUAGE C STABLE PARALLEL RESTRICTED;
CREATE FUNCTION sivka_open_token(token sealed_token, key text, context text DEFAULT '') RETURNS bytea
    AS 'MODULE_PATHNAME', 'value_open_token' LANGUAGE C STABLE PARALLEL RESTRICTED;
CREATE FUNCTION sivka_open_token_text(token sealed_token, key text, context text DEFAULT '') RETURNS text
    AS 'MODULE_PATHNAME', 'value_open_token_text' LANGUAGE C STABLE PARALLEL RESTRICTED;
CREATE FUNCTION sivka_try_open_token(token sealed_token, key text, context text DEFAULT '') RETURNS bytea
    AS 'MODULE_PATHNAME', 'value_try_open_token' LANGUAGE C STABLE PARALLEL RESTRICTED;
CREATE FUNCTION sivka_try_open_token_text(token sealed_token, key text, context text DEFAULT '') RETURNS text
    AS 'MODULE_PATHNAME', 'value_try_open_token_text' LANGUAGE C STABLE PARALLEL RESTRICTED;

-- Makes a key known, so that GRANT can say who may use it. Its file is in the setting sivka.keys.
CREATE FUNCTION sivka_create_key(name text) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF name IS NULL OR name !~ '^[A-Za-z0-9._-]{1,40}$' THEN
        RAISE invalid_name USING MESSAGE = 'the name of a key has 1 to 40 letters, digits, ".", "_" and "-"';
    END IF;
    EXECUTE format('CREATE VIEW sivka_key.%I AS SELECT true AS seal, true AS open', name);
    IF NOT EXISTS (SELECT FROM sivka_key.places() p WHERE p = name) THEN
        RAISE WARNING 'the setting sivka.keys has no place for key "%"', name;
    END IF;
END $$;

-- The names that the setting has a place for.
CREATE FUNCTION sivka_key.places() RETURNS SETOF text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT btrim(split_part(entry, '=', 1), E' \t\r\n')
    FROM unnest(string_to_array(current_setting('sivka.keys', true), ',')) entry WHERE entry LIKE '%=%'
$$;

-- For superusers: which keys there are, and what is wrong with those that do not load.
CREATE FUNCTION sivka_keys(OUT name text, OUT has_place boolean, OUT loads boolean, OUT reason text)
    RETURNS SETOF record LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    FOR name, has_place IN
        SELECT n, bool_or(p) FROM (SELECT n, true FROM sivka_key.places() n UNION ALL
            SELECT relname, false FROM pg_class WHERE relnamespace = 'sivka_key'::regnamespace) k(n, p)
        GROUP BY n ORDER BY n
    LOOP
        loads := true;
        reason := NULL;
        BEGIN
            PERFORM @extschema@.sivka_seal(NULL::text, name);
        EXCEPTION
            -- A keyset for tokens.
            WHEN wrong_object_type THEN NULL;
            WHEN OTHERS THEN
                loads := false;
                reason := SQLERRM;
        END;
        RETURN NEXT;
    END LOOP;
END $$;
REVOKE ALL ON FUNCTION sivka_keys(), sivka_key.places() FROM PUBLIC;
