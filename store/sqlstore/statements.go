package sqlstore

import (
	"fmt"
	"slices"
	"strings"
)

// statements are the fixed statements of a table.
type statements struct {
	fields   []*column // the columns that get and lock read
	selected string    // selects the fields
	rows     string    // selects them from the table
	get      string
	insert   string // with a given identifier
	create   string // with a generated identifier
	advance  string // keeps a given identifier from being generated; "" if not needed
	remove   string

	// returned has the columns that insert, create and updates return: the identifier, columns whose stored value may
	// differ, and those that updates compute. For a table of other programs it has all fields, because triggers and
	// defaults may change them.
	returned []*column
	// reread and rereadGenerated read these columns after a write with a given or generated identifier, for databases
	// without RETURNING; otherwise they are "".
	reread, rereadGenerated string
}

// prepare writes the statements.
func (p *planner) prepare() {
	s, d := &p.statements, p.dialect
	s.returned = slices.Clone(p.ids)
	for _, c := range p.columns {
		if c.shadow {
			continue
		}
		s.fields = append(s.fields, c)
		counted := c.field == p.record.Version || c.field == p.record.Created
		if c.list == nil && !p.isID(c) && (p.existing || !c.exact || counted) {
			s.returned = append(s.returned, c)
		}
	}
	s.selected = p.selected(s.fields)
	s.rows = s.selected + " FROM " + p.quoted
	s.get = d.text(func(b *builder) string { return s.rows + " WHERE " + p.living(hasKey(b, p.ids)) })
	s.insert = d.insert(p.quoted, p.own) + p.returning()
	others := slices.DeleteFunc(slices.Clone(p.own), p.isID)
	if len(others) > 0 {
		s.create = d.insert(p.quoted, others) + p.returning()
	} else {
		s.create = "INSERT INTO " + p.quoted + " " + d.DefaultRow(p.ids[0].quoted) + p.returning()
	}
	if last := d.facts.LastIdentity; last != "" {
		s.reread = d.text(func(b *builder) string { return selectWhere(s.returned, p.quoted, hasKey(b, p.ids)) })
		s.rereadGenerated = selectWhere(s.returned, p.quoted, p.ids[0].quoted+" = "+last)
	}
	s.remove = d.text(func(b *builder) string { return "DELETE FROM " + p.quoted + " WHERE " + hasKey(b, p.ids) })
	if p.generatesID {
		s.advance = d.AdvanceIdentity(p.quoted, p.ids[0].name)
	}
}

// returning writes the end of a statement that writes a row.
func (p *plan) returning() string {
	if p.dialect.facts.LastIdentity != "" {
		return ""
	}
	return " RETURNING " + strings.Join(reads(p.statements.returned), ", ")
}

// selected writes the SELECT of columns of the table.
func (p *plan) selected(columns []*column) string {
	selected := reads(columns)
	for i, c := range columns {
		if c.list != nil {
			selected[i] = c.list.selected
		}
	}
	return "SELECT " + strings.Join(selected, ", ")
}

// update returns the UPDATE of some columns, and of those that are computed from their stored values. Its last
// arguments are the identifier.
func (p *plan) update(changed, computed []*column) string {
	return p.dialect.text(func(b *builder) string {
		var set []string
		for _, c := range changed {
			set = append(set, c.quoted+" = "+c.written(b.value(nil)))
		}
		for _, c := range computed {
			value := c.quoted
			if c.field == p.record.Version {
				value = nextVersion(c)
			}
			set = append(set, c.quoted+" = "+value)
		}
		return "UPDATE " + p.quoted + " SET " + strings.Join(set, ", ") + " WHERE " + p.living(hasKey(b, p.ids)) + p.returning()
	})
}

// nextVersion returns an expression for the version after the stored one.
func nextVersion(c *column) string {
	return fmt.Sprintf("CASE WHEN %[1]s >= 0 AND %[1]s < %[2]d THEN %[1]s + 1 ELSE 1 END", c.quoted, c.field.LastVersion())
}
