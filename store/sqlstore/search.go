package sqlstore

import (
	"context"
	"fmt"
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

// searches returns the searcher of a database, nil for none.
func (d *dialect) searches() searcher {
	own, _ := d.Dialect.(searcher)
	return own
}

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

// prepareCreate returns the plans of what Create creates.
func (db *DB) prepareCreate(ctx context.Context, tables []TableDefiner) ([]*plan, error) {
	plans, err := plansOf(append(slices.Clone(tables), db.Responses(), db.log)...)
	if err == nil {
		err = db.addTrigrams(ctx, plans)
	}
	return plans, err
}

// addTrigrams finds the operator class for indexes of trigrams, if the plans need one. It creates the extension if it can,
// outside of the transaction of Create: some hosts of databases reject it in spite of all permissions.
func (db *DB) addTrigrams(ctx context.Context, plans []*plan) error {
	if !slices.ContainsFunc(plans, (*plan).isSearched) {
		return nil
	}
	defer func() {
		for _, p := range plans { // of a DB with another driver for the same database
			p.db.trigrams.Store(db.trigrams.Load())
		}
	}()
	canCreate, err := db.findTrigrams(ctx)
	if err != nil || !canCreate {
		return err
	}
	for _, schema := range []string{" SCHEMA public", ""} { // the schema of a program may be dropped, with an extension that others use
		if _, err := db.Exec(ctx, db.dialect.searches().Extension()+schema); err == nil {
			break // otherwise Advise reports that it is missing
		}
	}
	_, err = db.findTrigrams(ctx)
	return err
}

// findTrigrams finds the operator class of indexes of trigrams, and reports whether only its extension must be created.
func (db *DB) findTrigrams(ctx context.Context) (canCreate bool, err error) {
	var operators string
	var available int
	_, err = db.first(ctx, db, db.dialect.searches().Trigrams(), nil, &operators, &available)
	if err == nil {
		db.trigrams.Store(&operators)
	}
	return operators == "" && available != 0, err
}

// isSearched reports whether a column needs an index of trigrams.
func (p *plan) isSearched() bool {
	return p.dialect.searches() != nil && slices.ContainsFunc(p.columns, func(c *column) bool { return c.searched })
}

// searchIndexes returns the indexes of trigrams and words that the table needs. Without operators it returns none of trigrams.
func (p *plan) searchIndexes(operators string) (indexes []index) {
	for _, c := range p.columns {
		if i, needed := p.searchIndex(c, operators); needed && i.operators != "" {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// searchIndex returns the index of trigrams or words that a column needs, and whether it needs one. The index of trigrams has
// the given operators.
func (p *plan) searchIndex(c *column, trigrams string) (i index, needed bool) {
	switch {
	case p.dialect.searches() == nil:
	case c.searched:
		return index{name: p.indexName(c, "trgm"), columns: []*column{c}, operators: trigrams}, true
	case c.typ == words:
		return index{name: p.indexName(c, "idx"), columns: []*column{c}, operators: wordOperators}, true
	}
	return index{}, false
}

// needsSearchIndexes reports whether a column needs an index of trigrams or words.
func (p *plan) needsSearchIndexes() bool {
	return slices.ContainsFunc(p.columns, func(c *column) bool { _, needed := p.searchIndex(c, ""); return needed })
}

// withoutSearch adds a line for each missing index of trigrams or words.
func (p *plan) withoutSearch(ctx context.Context, lines []string) ([]string, error) {
	if !p.needsSearchIndexes() {
		return lines, nil
	}
	there, err := p.searched(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range p.columns {
		i, needed := p.searchIndex(c, *p.db.trigrams.Load())
		if !needed || there[c.name] {
			continue
		}
		first := ""
		if i.operators == "" {
			i.operators, first = trigramOperators, p.dialect.searches().Extension()+"; "
		}
		lines = append(lines, fmt.Sprintf("the table %s has no index for searches in %s, so each one reads every row: run %s%s", p.name, c.path.Name, first,
			strings.Replace(i.create(p, p.name).text, "INDEX IF", "INDEX CONCURRENTLY IF", 1)))
	}
	return lines, nil
}

// searched returns the columns that have an index of trigrams or words.
func (p *plan) searched(ctx context.Context) (map[string]bool, error) {
	there := map[string]bool{}
	if _, err := p.db.findTrigrams(ctx); err != nil {
		return nil, err
	}
	return there, p.db.each(ctx, p.db, p.dialect.searches().Searched(), []any{p.name}, func(rows Rows) error {
		var name string
		err := rows.Scan(&name)
		there[name] = true
		return err
	})
}

// compareSearches adds the steps of missing indexes of trigrams and words.
func (t *existing) compareSearches(ctx context.Context) error {
	p := t.plan
	if err := t.compareWords(ctx); err != nil || !p.needsSearchIndexes() {
		return err
	}
	there, err := p.searched(ctx)
	if err != nil {
		return err
	}
	for _, i := range p.searchIndexes(t.trigrams) {
		if c := i.columns[0]; !there[c.name] {
			t.addIndex(p.name, i.create(p, p.name), !t.lacks(i.columns), false)
		}
	}
	return nil
}

// extend finds the operator class for indexes of trigrams, and adds the step of its extension.
func (d *differ) extend(ctx context.Context, plans []*plan) (err error) {
	canCreate := false
	if slices.ContainsFunc(plans, (*plan).isSearched) {
		if canCreate, err = d.db.findTrigrams(ctx); err == nil {
			d.trigrams = *d.db.trigrams.Load()
		}
	}
	if canCreate && d.extends {
		d.trigrams = "public." + trigramOperators
		d.tables = append(d.tables, safe("Create the extension for indexes of searches.", "", d.db.dialect.searches().Extension()+" SCHEMA public"))
	}
	return err
}
