-- The objects of the extension. The functions' names and bytes are those of the other engines:
-- docs/columns.md.
\echo Use "CREATE EXTENSION sivka" to load this file. \quit

-- A relation here stands for a key: INSERT is the right to seal with it, SELECT the right to open.
CREATE SCHEMA sivka_key;
GRANT USAGE ON SCHEMA sivka_key TO PUBLIC;

-- No operator compares sealed values: the same value is sealed to other bytes each time.
CREATE TYPE sealed;
CREATE FUNCTION sealed_in(cstring) RETURNS sealed AS 'MODULE_PATHNAME', 'sealed_in'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sealed_out(sealed) RETURNS cstring AS 'MODULE_PATHNAME', 'sealed_out'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sealed_recv(internal) RETURNS sealed AS 'MODULE_PATHNAME', 'sealed_recv'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sealed_send(sealed) RETURNS bytea AS 'MODULE_PATHNAME', 'sealed_send'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE TYPE sealed (
    INPUT = sealed_in, OUTPUT = sealed_out, RECEIVE = sealed_recv, SEND = sealed_send,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external
);
COMMENT ON TYPE sealed IS 'what sivka_seal gives: different each time, so that it has no equality';
-- Explicit only: plaintext becomes no sealed value by accident, nor a sealed value text.
CREATE CAST (sealed AS bytea) WITHOUT FUNCTION;
CREATE CAST (bytea AS sealed) WITHOUT FUNCTION;

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

CREATE OPERATOR = (
    LEFTARG = sealed_token, RIGHTARG = sealed_token, FUNCTION = sealed_token_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
CREATE OPERATOR <> (
    LEFTARG = sealed_token, RIGHTARG = sealed_token, FUNCTION = sealed_token_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR < (
    LEFTARG = sealed_token, RIGHTARG = sealed_token, FUNCTION = sealed_token_lt, COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = sealed_token, RIGHTARG = sealed_token, FUNCTION = sealed_token_le, COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR > (
    LEFTARG = sealed_token, RIGHTARG = sealed_token, FUNCTION = sealed_token_gt, COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR >= (
    LEFTARG = sealed_token, RIGHTARG = sealed_token, FUNCTION = sealed_token_ge, COMMUTATOR = <=, NEGATOR = <,
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

CREATE FUNCTION sivka_seal(value text, key text, context text DEFAULT '') RETURNS sealed
    AS 'MODULE_PATHNAME', 'value_seal_text' LANGUAGE C VOLATILE PARALLEL SAFE;
CREATE FUNCTION sivka_seal(value bytea, key text, context text DEFAULT '') RETURNS sealed
    AS 'MODULE_PATHNAME', 'value_seal' LANGUAGE C VOLATILE PARALLEL SAFE;
CREATE FUNCTION sivka_seal(value jsonb, key text, context text DEFAULT '') RETURNS sealed
    AS 'MODULE_PATHNAME', 'value_seal_jsonb' LANGUAGE C VOLATILE PARALLEL SAFE;
CREATE FUNCTION sivka_open(sealed sealed, key text, context text DEFAULT '') RETURNS bytea
    AS 'MODULE_PATHNAME', 'value_open' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_open_text(sealed sealed, key text, context text DEFAULT '') RETURNS text
    AS 'MODULE_PATHNAME', 'value_open_text' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_open_jsonb(sealed sealed, key text, context text DEFAULT '') RETURNS jsonb
    AS 'MODULE_PATHNAME', 'value_open_jsonb' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_try_open(sealed sealed, key text, context text DEFAULT '') RETURNS bytea
    AS 'MODULE_PATHNAME', 'value_try_open' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_try_open_text(sealed sealed, key text, context text DEFAULT '') RETURNS text
    AS 'MODULE_PATHNAME', 'value_try_open_text' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_try_open_jsonb(sealed sealed, key text, context text DEFAULT '') RETURNS jsonb
    AS 'MODULE_PATHNAME', 'value_try_open_jsonb' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_token(value text, key text, context text DEFAULT '') RETURNS sealed_token
    AS 'MODULE_PATHNAME', 'value_token_text' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_token(value bytea, key text, context text DEFAULT '') RETURNS sealed_token
    AS 'MODULE_PATHNAME', 'value_token' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_open_token(token sealed_token, key text, context text DEFAULT '') RETURNS bytea
    AS 'MODULE_PATHNAME', 'value_open_token' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_open_token_text(token sealed_token, key text, context text DEFAULT '') RETURNS text
    AS 'MODULE_PATHNAME', 'value_open_token_text' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_try_open_token(token sealed_token, key text, context text DEFAULT '') RETURNS bytea
    AS 'MODULE_PATHNAME', 'value_try_open_token' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_try_open_token_text(token sealed_token, key text, context text DEFAULT '') RETURNS text
    AS 'MODULE_PATHNAME', 'value_try_open_token_text' LANGUAGE C STABLE PARALLEL SAFE;

-- The same for arrays: one context for all elements, or one for each.

CREATE FUNCTION sivka_seal("values" text[], key text, context text DEFAULT '') RETURNS sealed[]
    AS 'MODULE_PATHNAME', 'array_seal_text' LANGUAGE C VOLATILE PARALLEL SAFE;
CREATE FUNCTION sivka_token("values" text[], key text, context text DEFAULT '') RETURNS sealed_token[]
    AS 'MODULE_PATHNAME', 'array_token_text' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_seal("values" bytea[], key text, context text DEFAULT '') RETURNS sealed[]
    AS 'MODULE_PATHNAME', 'array_seal' LANGUAGE C VOLATILE PARALLEL SAFE;
CREATE FUNCTION sivka_token("values" bytea[], key text, context text DEFAULT '') RETURNS sealed_token[]
    AS 'MODULE_PATHNAME', 'array_token' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_open(sealed sealed[], key text, context text DEFAULT '') RETURNS bytea[]
    AS 'MODULE_PATHNAME', 'array_open' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_open_token(tokens sealed_token[], key text, context text DEFAULT '') RETURNS bytea[]
    AS 'MODULE_PATHNAME', 'array_open_token' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_open_text(sealed sealed[], key text, context text DEFAULT '') RETURNS text[]
    AS 'MODULE_PATHNAME', 'array_open_text' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_open_token_text(tokens sealed_token[], key text, context text DEFAULT '') RETURNS text[]
    AS 'MODULE_PATHNAME', 'array_open_token_text' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_try_open(sealed sealed[], key text, context text DEFAULT '') RETURNS bytea[]
    AS 'MODULE_PATHNAME', 'array_try_open' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_try_open_token(tokens sealed_token[], key text, context text DEFAULT '') RETURNS bytea[]
    AS 'MODULE_PATHNAME', 'array_try_open_token' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_try_open_text(sealed sealed[], key text, context text DEFAULT '') RETURNS text[]
    AS 'MODULE_PATHNAME', 'array_try_open_text' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_try_open_token_text(tokens sealed_token[], key text, context text DEFAULT '') RETURNS text[]
    AS 'MODULE_PATHNAME', 'array_try_open_token_text' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_seal("values" text[], key text, contexts text[]) RETURNS sealed[]
    AS 'MODULE_PATHNAME', 'array_seal_text' LANGUAGE C VOLATILE PARALLEL SAFE;
CREATE FUNCTION sivka_token("values" text[], key text, contexts text[]) RETURNS sealed_token[]
    AS 'MODULE_PATHNAME', 'array_token_text' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_seal("values" bytea[], key text, contexts text[]) RETURNS sealed[]
    AS 'MODULE_PATHNAME', 'array_seal' LANGUAGE C VOLATILE PARALLEL SAFE;
CREATE FUNCTION sivka_token("values" bytea[], key text, contexts text[]) RETURNS sealed_token[]
    AS 'MODULE_PATHNAME', 'array_token' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_open(sealed sealed[], key text, contexts text[]) RETURNS bytea[]
    AS 'MODULE_PATHNAME', 'array_open' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_open_token(tokens sealed_token[], key text, contexts text[]) RETURNS bytea[]
    AS 'MODULE_PATHNAME', 'array_open_token' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_open_text(sealed sealed[], key text, contexts text[]) RETURNS text[]
    AS 'MODULE_PATHNAME', 'array_open_text' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_open_token_text(tokens sealed_token[], key text, contexts text[]) RETURNS text[]
    AS 'MODULE_PATHNAME', 'array_open_token_text' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_try_open(sealed sealed[], key text, contexts text[]) RETURNS bytea[]
    AS 'MODULE_PATHNAME', 'array_try_open' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_try_open_token(tokens sealed_token[], key text, contexts text[]) RETURNS bytea[]
    AS 'MODULE_PATHNAME', 'array_try_open_token' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_try_open_text(sealed sealed[], key text, contexts text[]) RETURNS text[]
    AS 'MODULE_PATHNAME', 'array_try_open_text' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION sivka_try_open_token_text(tokens sealed_token[], key text, contexts text[]) RETURNS text[]
    AS 'MODULE_PATHNAME', 'array_try_open_token_text' LANGUAGE C STABLE PARALLEL SAFE;

-- Makes a key known, so that GRANT can say who may use it. Its file is in the setting sivka.keys.
CREATE FUNCTION sivka_create_key(name text) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    grantee text;
BEGIN
    IF name IS NULL OR name !~ '^[A-Za-z0-9._-]{1,40}$' THEN
        RAISE invalid_name USING MESSAGE = 'the name of a key has 1 to 40 letters, digits, ".", "_" and "-"';
    END IF;
    EXECUTE format('CREATE VIEW sivka_key.%I AS SELECT %L::text AS name', name, name);
    -- ALTER DEFAULT PRIVILEGES is about tables; a key is nobody's before it is granted.
    FOR grantee IN SELECT DISTINCT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END
                   FROM pg_class c, aclexplode(c.relacl) a
                   WHERE c.oid = format('sivka_key.%I', name)::regclass AND a.grantee <> c.relowner LOOP
        EXECUTE format('REVOKE ALL ON sivka_key.%I FROM %s', name, grantee);
    END LOOP;
END $$;

-- How a view opens one column of a table, and how its trigger seals it. `wanted` is a name and perhaps
-- a type. A value is sealed under TABLE.COLUMN.ID; a token is made under TABLE.COLUMN. Names are always
-- quoted: PL/pgSQL finds no field NEW.by or NEW.if.
CREATE FUNCTION sivka_view_column(base regclass, key text, id text, wanted text,
                                  OUT name text, OUT opened text, OUT sealed text)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, @extschema@, pg_temp AS $$
DECLARE
    type text;
    kind text;
    context text;
    of_id text := '';
    quoted text;
BEGIN
    -- A name may have spaces, so the longest that fits is meant.
    SELECT a.attname, format('%s.%s', c.relname, a.attname), a.atttypid::regtype INTO name, context, kind
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.oid = base AND starts_with(wanted || ' ', a.attname || ' ') AND NOT a.attisdropped
          AND a.atttypid IN ('sealed'::regtype, 'sealed_token'::regtype)
        ORDER BY length(a.attname) DESC LIMIT 1;
    IF NOT FOUND THEN
        RAISE undefined_column USING MESSAGE = format('%s has no column %I of type sealed or sealed_token', base,
                                                      split_part(wanted, ' ', 1));
    ELSIF context LIKE '%.%.%' THEN
        RAISE invalid_name USING MESSAGE = format('column %I of %s: names with dots would share contexts', name, base);
    END IF;
    quoted := '"' || replace(name, '"', '""') || '"';
    type := coalesce(nullif(ltrim(substr(wanted, length(name) + 1)), ''), 'text');
    IF to_regtype(type) IS NULL THEN
        RAISE undefined_object USING MESSAGE = format('there is no type %s for column %I', type, name);
    ELSIF type ~ '\(' THEN
        RAISE feature_not_supported USING MESSAGE = format('the type of column %I has a modifier, which would be lost', name);
    END IF;
    type := to_regtype(type)::text;
    IF kind = 'sealed' THEN
        context := context || '.';
        of_id := '."' || replace(id, '"', '""') || '"::text';
    END IF;
    opened := format('sivka_open%s%s(t.%s, %L, %L%s)%s', CASE kind WHEN 'sealed' THEN '' ELSE '_token' END,
                     CASE type WHEN 'bytea' THEN '' ELSE '_text' END, quoted, key, context, ' || t' || nullif(of_id, ''),
                     CASE WHEN type IN ('bytea', 'text') THEN '' ELSE '::' || type END);
    sealed := format('%s(NEW.%s%s, %L, %L%s)', CASE kind WHEN 'sealed' THEN 'sivka_seal' ELSE 'sivka_token' END, quoted,
                     CASE type WHEN 'bytea' THEN '' ELSE '::text' END, key, context, ' || NEW' || nullif(of_id, ''));
END $$;

-- The columns of a table in order, with what a view does instead of their defaults.
CREATE FUNCTION sivka_table_columns(base regclass, OUT name text, OUT quoted text, OUT is_generated boolean,
                                    OUT is_writable boolean, OUT otherwise text)
    RETURNS SETOF record LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT a.attname, '"' || replace(a.attname, '"', '""') || '"', a.attgenerated <> '',
           a.attgenerated = '' AND a.attidentity <> 'a',
           CASE WHEN a.attidentity <> '' THEN format('nextval(%L)', pg_get_serial_sequence(base::text, a.attname))
                WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END
    FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = base AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
$$;

-- Writes a view that shows a table as it was before its columns were sealed, and a trigger that seals
-- what is written to the view. Both are in the table's schema. `columns` are names, each perhaps with
-- the type that the view gives it ('born date'). README.md says who may use them.
CREATE FUNCTION sivka_create_view(view text, base regclass, key text, id text, VARIADIC columns text[])
    RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, @extschema@, pg_temp AS $body$
DECLARE
    home text := (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = base);
    view_name text := format('%I.%I', home, view);
    writer text := format('%I.%I', home, view || '_write');
    quoted_id text := '"' || replace(id, '"', '""') || '"';
    attribute record;
    wanted record;
    found_columns int := 0;
    shown text[] := '{}';
    written text[] := '{}';
    inserted text[] := '{}';
    updated text[] := '{}';
    seen text[] := '{}';
    defaults text[] := '{}';
    statement text;
BEGIN
    IF view IS NULL OR base IS NULL OR key IS NULL OR id IS NULL OR array_position(columns, NULL) IS NOT NULL THEN
        RAISE null_value_not_allowed USING MESSAGE = 'sivka_create_view: an argument is NULL';
    ELSIF NOT EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
                      WHERE i.indrelid = base AND i.indisprimary AND i.indnkeyatts = 1 AND a.attname = id) THEN
        RAISE invalid_table_definition USING MESSAGE = format('column %I is not the primary key of %s', id, base);
    ELSIF NOT EXISTS (SELECT FROM pg_attribute a JOIN pg_type y ON y.oid = a.atttypid
                      WHERE a.attrelid = base AND a.attname = id AND coalesce(nullif(y.typbasetype, 0), y.oid) IN
                            ('smallint'::regtype, 'integer'::regtype, 'bigint'::regtype, 'numeric'::regtype, 'text'::regtype,
                             'varchar'::regtype, 'bpchar'::regtype, 'uuid'::regtype)) THEN
        RAISE invalid_table_definition USING MESSAGE = format('column %I is no number, text or uuid', id),
            DETAIL = 'Values are sealed under its text, which for other types depends on the settings of a session.';
    END IF;
    FOR attribute IN SELECT * FROM sivka_table_columns(base) LOOP
        SELECT c.* INTO wanted FROM unnest(columns) w, sivka_view_column(base, key, id, w) c WHERE c.name = attribute.name;
        IF FOUND THEN
            found_columns := found_columns + 1;
            shown := shown || format('%s AS %s', wanted.opened, attribute.quoted);
            seen := seen || format('(%s)::text IS NOT DISTINCT FROM OLD.%s::text', wanted.opened, attribute.quoted);
            inserted := inserted || wanted.sealed;
            -- What did not change keeps its bytes.
            updated := updated || format('%1$s = CASE WHEN NEW.%1$s::text IS DISTINCT FROM OLD.%1$s::text'
                                         ' THEN %2$s ELSE t.%1$s END', attribute.quoted, wanted.sealed);
        ELSE
            shown := shown || format('t.%s', attribute.quoted);
            seen := seen || format('t.%1$s::text IS NOT DISTINCT FROM OLD.%1$s::text', attribute.quoted);
            inserted := inserted || CASE WHEN NOT attribute.is_generated THEN format('NEW.%s', attribute.quoted) END;
            updated := updated || CASE WHEN attribute.is_writable THEN format('%1$s = NEW.%1$s', attribute.quoted) END;
        END IF;
        written := written || CASE WHEN NOT attribute.is_generated THEN attribute.quoted END;
        defaults := defaults || (format('ALTER VIEW %s ALTER COLUMN %s SET DEFAULT ', view_name, attribute.quoted)
                                 || attribute.otherwise);
    END LOOP;
    IF found_columns <> cardinality(columns) THEN
        RAISE invalid_parameter_value USING MESSAGE = 'sivka_create_view: a column is named twice';
    END IF;
    EXECUTE format('CREATE VIEW %s AS SELECT %s FROM %s t', view_name, array_to_string(shown, ', '), base);
    EXECUTE 'CREATE FUNCTION ' || writer || '() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, @extschema@, pg_temp'
            ' SET datestyle = ''ISO, YMD'' SET intervalstyle = ''iso_8601'' SET extra_float_digits = 1 AS '
            || quote_literal(format($write$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE VALUES (%3$s);
        RETURN NEW;
    ELSIF TG_OP = 'DELETE' THEN
        DELETE FROM %1$s t WHERE t.%4$s = OLD.%4$s AND %6$s;
    ELSE
        -- Values are sealed under it.
        IF NEW.%4$s IS DISTINCT FROM OLD.%4$s THEN
            RAISE feature_not_supported USING MESSAGE = %7$L;
        END IF;
        UPDATE %1$s t SET %5$s WHERE t.%4$s = OLD.%4$s AND %6$s;
    END IF;
    IF NOT FOUND THEN
        -- A view locks no row, so another transaction may have changed it since.
        IF EXISTS (SELECT FROM %1$s t WHERE t.%4$s = OLD.%4$s) THEN
            RAISE serialization_failure USING MESSAGE = 'the row was changed since this statement read it';
        END IF;
        RETURN NULL;
    ELSIF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END $write$, base, array_to_string(written, ', '), array_to_string(inserted, ', '), quoted_id, array_to_string(updated, ', '),
             array_to_string(seen, ' AND '), format('column %I cannot be changed through the view', id)));
    EXECUTE format('CREATE TRIGGER sivka_write INSTEAD OF INSERT OR UPDATE OR DELETE ON %s'
                   ' FOR EACH ROW EXECUTE FUNCTION %s()', view_name, writer);
    FOREACH statement IN ARRAY array_remove(defaults, NULL) LOOP
        EXECUTE statement;
    END LOOP;
END $body$;
