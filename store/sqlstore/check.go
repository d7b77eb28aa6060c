package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Check returns the errors of the struct's tags, and the differences between the table and the struct with which no program can
// use it, joined. It reads the catalog of the database, and no rows. resource.New calls it.
func (s *table) Check(ctx context.Context) error {
	if p := s.plan(); p.existing {
		if err := p.reads(ctx, func(querier) error { return s.adopt(ctx) }); err != nil {
			return err
		}
	}
	p := s.plan()
	return p.reads(ctx, func(querier) error {
		steps, err := p.db.differences(ctx, toCheck, p)
		return errors.Join(unusable(steps), err)
	})
}

// CheckInserts returns an error for each column that would make every insert fail, because it is NOT NULL without a
// default and the struct does not use it. resource.New calls it if an operation inserts records.
func (s *table) CheckInserts(ctx context.Context) error {
	p := s.plan()
	return p.reads(ctx, func(querier) error {
		d := newDiffer(p.db, toCheck)
		t := d.table(p, nil)
		columns, err := describe(ctx, p.db, p.db, p.name, p.own)
		if t.columns = columns; err == nil && len(columns) > len(p.own) { // there are others
			t.indexes, err = indexesOf(ctx, p.db, p.db, p.name, p.own)
		}
		t.compareOthers()
		return errors.Join(unusable(d.all()), err)
	})
}

// Advise returns a line for each reference to a table of the same database that has no foreign key, such as one added
// to an existing column, one for each index that the table lacks, and one for each field that clients search without the
// index that Create adds to new tables on PostgreSQL. Such a table works, but other programs and concurrent requests can
// leave references to records that do not exist, and queries are slow. resource.New logs the lines.
func (s *table) Advise(ctx context.Context) (advice []string, err error) {
	p := s.plan()
	if p.existing || p.err != nil {
		return nil, p.err
	}
	err = s.db.retried(ctx, func() error {
		steps, err := s.db.differences(ctx, toAdvise, p)
		advice = problems(steps, true)
		return err
	})
	return advice, err
}

// unusable returns an error that joins the problems with which no program can use a table.
func unusable(steps []Step) error {
	var errs []error
	for _, problem := range problems(steps, false) {
		errs = append(errs, errors.New("sqlstore: "+problem))
	}
	return errors.Join(errs...)
}

// problems returns the problems of tables without steps that are optional, or of the others.
func problems(steps []Step, optional bool) (problems []string) {
	for i := range steps {
		if steps[i].problem != "" && steps[i].optional == optional {
			problems = append(problems, steps[i].problem)
		}
	}
	return problems
}

// problem describes the table without a step, and the remedy. Tables of other programs are not to be changed, so they get
// none, unless the description ends in it.
func (t *actualTable) problem(s *Step, format string, args ...any) {
	s.problem = "the table " + t.name + " " + fmt.Sprintf(format, args...)
	switch remedy := t.remedy(s); {
	case remedy == "", t.plan.existing, strings.HasSuffix(s.problem, remedy):
	case strings.HasSuffix(s.problem, "?"):
		s.problem += " Otherwise " + remedy
	default:
		s.problem += ": " + remedy
	}
}

// copying is what to do if the database has no statement for a step.
const copying = `copy the rows to a new table, as "Add a foreign key" in docs/guides/databases.md shows`

// remedy says how to run a step, "" if nothing runs it.
func (t *actualTable) remedy(s *Step) string {
	text := strings.Join(s.SQL, "; ")
	constraint, isPart := strings.CutPrefix(text, "-- ")
	switch {
	case isPart:
		return copying + "; it needs " + constraint
	case strings.Contains(s.Purpose, copying):
		return copying
	case text == "":
		return ""
	case s.Safe && !t.plan.existing:
		return "call db.Migrate, or run " + text
	}
	return "run " + text
}
