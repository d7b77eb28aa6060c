package sqlstore

import (
	"context"
	"fmt"
)

// Advise returns a line for each reference to a table of the same database that has no foreign
// key, as of a column that has become a reference. Such a table works, but other programs, and two
// requests at the same time, can leave references to records that do not exist. resource.New logs
// the lines.
func (s *Store[T]) Advise(ctx context.Context) ([]string, error) {
	p := s.plan()
	if p.foreign || p.err != nil {
		return nil, p.err
	}
	var advice []string
	err := s.db.retried(ctx, func() (err error) {
		advice, err = p.withoutKeys(ctx, s.db)
		return err
	})
	return advice, err
}

// withoutKeys returns a line for each foreign key that the table, or the table of a list, lacks.
func (p *plan) withoutKeys(ctx context.Context, db *DB) (lines []string, err error) {
	there := map[string]map[string]actualKey{}
	check := func(table string, columns []*column, target *plan, constraint string) {
		if there[table] == nil && err == nil {
			there[table], err = foreignKeysOf(ctx, db, table)
		}
		if names := together(columns); there[table][names] == (actualKey{}) {
			lines = append(lines, fmt.Sprintf("the table %s has no foreign key on %s, so it can refer to rows of %s that do not exist: %s",
				table, names, target.name, p.remedy(table, constraint)))
		}
	}
	for _, link := range p.foreignKeys() {
		check(p.name, link.from, link.target, p.constraint(link))
	}
	for _, c := range p.lists {
		for _, link := range p.linksOf([]*column{c}) {
			check(c.list.name, link.from, link.target, p.constraint(link))
		}
		check(c.list.name, c.list.record, p, c.list.recordConstraint(p))
	}
	if err != nil {
		return nil, err
	}
	return lines, nil
}

// remedy says how to add a foreign key to a table.
func (p *plan) remedy(table, constraint string) string {
	if !p.dialect.facts.TargetsFirst {
		return "the database adds no foreign key to an existing table; copy the rows to a new table with " + constraint +
			`, as "Add a foreign key" in docs/guides/databases.md shows`
	}
	return "run ALTER TABLE " + p.dialect.Quote(table) + " ADD " + constraint
}

// remedyFor returns what to append to the error of a column without a foreign key, "" if the table
// that it refers to is not known.
func (p *plan) remedyFor(c *column) string {
	for _, link := range p.linksOf([]*column{c}) {
		if c.list != nil {
			return ": " + p.remedy(c.list.name, p.constraint(link))
		}
		return ": " + p.remedy(p.name, p.constraint(link))
	}
	return ""
}
