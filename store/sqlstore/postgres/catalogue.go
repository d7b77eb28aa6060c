package postgres

// describe asks for the columns of a table. A name is looked for along the search path, as
// in any statement. A column that is NOT NULL needs no value from an insert if it has a default
// (or its domain has one), is generated or an identity, or if a trigger or a rule may set it.
const describe = `SELECT a.attname::text, format_type(a.atttypid, NULL), CASE WHEN a.attnotnull THEN 0 ELSE 1 END,
  CASE WHEN (a.attnotnull OR t.typnotnull) AND NOT a.atthasdef AND a.attidentity = '' AND a.attgenerated = '' AND t.typdefault IS NULL
    AND c.relkind IN ('r', 'p')
    AND NOT EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal AND g.tgenabled <> 'D' AND g.tgtype & 7 = 7)
    AND NOT EXISTS (SELECT FROM pg_rewrite w WHERE w.ev_class = c.oid AND w.ev_type = '3')
  THEN 1 ELSE 0 END
FROM pg_attribute a
JOIN pg_class c ON c.oid = a.attrelid
JOIN pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = to_regclass(quote_ident($1)) AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum`

// primaryKey asks for the columns of the primary key.
const primaryKey = `SELECT a.attname::text
FROM pg_index i
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
WHERE i.indrelid = to_regclass(quote_ident($1)) AND i.indisprimary
ORDER BY array_position(i.indkey::int2[], a.attnum)`

// uniques asks for the unique indexes over one column, among them those of constraints.
// An index over some of the rows keeps nothing unique, nor does one that failed to build.
const uniques = `SELECT c.relname::text, a.attname::text
FROM pg_index i
JOIN pg_class c ON c.oid = i.indexrelid
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
WHERE i.indrelid = to_regclass(quote_ident($1)) AND i.indisunique AND i.indisvalid AND i.indnkeyatts = 1 AND i.indpred IS NULL`

// foreignKeys asks for foreign keys, with the columns of each.
const foreignKeys = `SELECT c.conname::text, (
  SELECT string_agg(a.attname::text, ', ') FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)),
  CASE c.confdeltype WHEN 'a' THEN 'restrict' WHEN 'r' THEN 'restrict' WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'null' ELSE 'default' END
FROM pg_constraint c
WHERE c.conrelid = to_regclass(quote_ident($1)) AND c.contype = 'f'`
