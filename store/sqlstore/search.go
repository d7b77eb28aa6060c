package sqlstore

import (
	"context"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// searcher is implemented by dialects of databases in which an index of trigrams serves LIKE. The index needs an extension
// of the database, which may be missing. Conditions then have the same results, but read every row.
type searcher interface {
	// Like returns a condition that a string matches a pattern, in which backslashes escape special characters. It compares
	// bytes.
	Like(text, pattern string) string
	// Trigrams returns a query with one row: the operator class of such indexes, "" if the extension does not exist; and 1 if
	// the extension can be created, else 0.
	Trigrams() string
	// Extension returns a statement that creates the extension, if it does not exist.
	Extension() string
	// Searched returns a query for the columns that have such an index, in the table that its argument names.
	Searched() string
}

// These are the operator classes of an index of trigrams, as DDL writes it, and of one of words.
const (
	trigramOperators = "gin_trgm_ops"
	wordOperators    = "tsvector_ops"
)

// escapePattern escapes the special characters of LIKE.
var escapePattern = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// like writes a condition that searches within a string by a pattern. Fold writes a string as text is folded.
func (w where) like(own searcher, text string, operator store.Operator, part string, fold func(string) string) string {
	part = escapePattern.Replace(part)
	switch operator {
	case store.Contains:
		return own.Like(text, fold("%"+part+"%"))
	case store.HasSuffix:
		return own.Like(text, fold("%"+part))
	case store.HasPrefix:
		return own.Like(text, fold(part+"%"))
	}
	return or(own.Like(text, fold(part+"%")), own.Like(text, fold("% "+part+"%")))
}

// addTrigrams returns the operator class for indexes of trigrams, if the plans need one, "" if there is none. It creates the
// extension if it can, outside of the transaction of Create: some hosts of databases reject it in spite of all permissions.
func (db *DB) addTrigrams(ctx context.Context, plans []*plan) (operators string, err error) {
	operators, canCreate, err := db.findTrigrams(ctx, plans)
	if err != nil || !canCreate {
		return operators, err
	}
	for _, schema := range []string{" SCHEMA public", ""} { // the schema of a program may be dropped, with an extension that others use
		if _, err := db.Exec(ctx, as[searcher](db.dialect).Extension()+schema); err == nil {
			break // otherwise Advise reports that it is missing
		}
	}
	operators, _, err = db.findTrigrams(ctx, plans)
	return operators, err
}

// findTrigrams finds the operator class of indexes of trigrams, if plans need one, and reports whether only its extension must
// be created.
func (db *DB) findTrigrams(ctx context.Context, plans []*plan) (operators string, canCreate bool, err error) {
	if !slices.ContainsFunc(plans, (*plan).isSearched) {
		return "", false, nil
	}
	var available int
	_, err = db.first(ctx, db, as[searcher](db.dialect).Trigrams(), nil, &operators, &available)
	return operators, operators == "" && available != 0, err
}

// isSearched reports whether a column needs an index of trigrams.
func (p *plan) isSearched() bool {
	return as[searcher](p.dialect) != nil && slices.ContainsFunc(p.columns, func(c *column) bool { return c.searched })
}

// searchIndexes returns the indexes of trigrams and words that the table needs, the former with the given operators.
func (p *plan) searchIndexes(trigrams string) (indexes []index) {
	if as[searcher](p.dialect) == nil {
		return nil
	}
	for _, c := range p.columns {
		switch {
		case c.searched:
			indexes = append(indexes, index{name: p.indexName(c, "trgm"), columns: []*column{c}, operators: trigrams})
		case c.typ == words:
			indexes = append(indexes, index{name: p.indexName(c, "idx"), columns: []*column{c}, operators: wordOperators})
		}
	}
	return indexes
}

// compareSearches adds the steps of what is missing of indexes of words and trigrams.
func (t *actualTable) compareSearches(ctx context.Context) error {
	p := t.plan
	if t.list != nil {
		return nil
	}
	lacks, err := p.lacksWordTables(ctx, t.db)
	if lacks {
		step := safe("Index the words in texts of "+p.name+".", t.reading(), texts(p.wordTables())...)
		t.problem(&step, "has no index of the words in its texts")
		t.add(newIndexes, step)
	}
	wanted := p.searchIndexes(t.trigrams)
	if err != nil || t.use == toCheck || wanted == nil {
		return err
	}
	there := map[string]bool{} // the columns that have such an index
	err = p.db.each(ctx, p.db, as[searcher](p.dialect).Searched(), []any{p.name}, func(rows Rows) error {
		var name string
		err := rows.Scan(&name)
		there[name] = true
		return err
	})
	for _, i := range wanted {
		c, lacksExtension := i.columns[0], i.operators == ""
		if there[c.name] || err != nil || lacksExtension && t.use == toPlan {
			continue
		}
		if lacksExtension {
			i.operators = trigramOperators
		}
		step := t.createIndex(i.create(p, p.name), !t.lacks(i.columns) && !lacksExtension, false)
		if lacksExtension {
			step.SQL = slices.Insert(step.SQL, 0, as[searcher](p.dialect).Extension())
		}
		step.optional = true
		t.problem(&step, "has no index for searches in %s, so each one reads every row", c.path.Name)
		t.add(newIndexes, step)
	}
	return err
}
