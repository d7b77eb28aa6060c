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
	keys := p.foreignKeys()
	if len(keys) > 0 {
		there, err := foreignKeysOf(ctx, db, p.name)
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			if columns := together(key.column); there[columns] == (actualKey{}) {
				lines = append(lines, noKey(p.name, columns, key.target)+": "+p.remedy(p.name, p.constraint(key)))
			}
		}
	}
	for _, c := range p.lists {
		there, err := foreignKeysOf(ctx, db, c.list.name)
		if err != nil {
			return nil, err
		}
		target := p.target(c)
		if columns := together(c.list.target); target != nil && there[columns] == (actualKey{}) {
			lines = append(lines, noKey(c.list.name, columns, target)+": "+p.remedy(c.list.name, c.list.targetConstraint(c, target)))
		}
		if columns := namesTogether(c.list.record); there[columns] == (actualKey{}) {
			lines = append(lines, noKey(c.list.name, columns, p)+": "+p.remedy(c.list.name, c.list.recordConstraint(p)))
		}
	}
	return lines, nil
}

func noKey(table, columns string, target *plan) string {
	return fmt.Sprintf("the table %s has no foreign key on %s, so it can refer to rows of %s that do not exist", table, columns, target.name)
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
	target := p.target(c)
	switch {
	case target == nil:
		return ""
	case c.list != nil:
		return ": " + p.remedy(c.list.name, c.list.targetConstraint(c, target))
	}
	return ": " + p.remedy(p.name, p.constraint(foreignKey{c, target}))
}
