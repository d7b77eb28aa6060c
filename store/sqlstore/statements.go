package sqlstore

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// statements are the texts of a table that are always the same.
type statements struct {
	fields   []*column // what get and lock read
	selected string    // selects the fields
	rows     string    // selects them from the table
	get      string
	many     string // get for an array of identifiers; "" where they are given in another way
	lock     string // get, for a transaction that may change the record
	// hold is what comes before get in place of lock, where one statement would see lists as they
	// were before it waited: it takes the lock alone. "" for nothing.
	hold    string
	claim   string // takes the lock for a delete, which keeps others from referring to the record; "" without locks of rows
	insert  string // with the identifier
	create  string // without it
	advance string // keeps an identifier that was given from being made; "" where that needs nothing
	remove  string

	// returned is what insert, create and updates return: the identifier, what the table
	// may keep as another value, and what updates make of what it has; for a table that
	// others made all fields, for its triggers and defaults may have a word in them.
	returned []*column
	// reread and remade return it of a record that was written, and of one whose identifier was made, for databases whose
	// writes return nothing; else they are "".
	reread, remade string
}

// prepare writes them.
func (p *plan) prepare() {
	s, d := &p.statements, p.dialect
	s.returned = slices.Clone(p.ids)
	for _, c := range p.columns {
		if c.shadow {
			continue
		}
		s.fields = append(s.fields, c)
		counted := c.field == p.record.Version || c.field == p.record.Created
		if c.list == nil && !p.isID(c) && (p.foreign || !c.exact || counted) {
			s.returned = append(s.returned, c)
		}
	}
	s.selected = p.selected(s.fields)
	s.rows = s.selected + " FROM " + p.quoted
	s.get = d.text(func(b *builder) string { return s.rows + " WHERE " + p.hasKey(b) })
	if len(p.ids) == 1 && p.hasArrays(p.ids[0]) {
		s.many = d.text(func(b *builder) string { return s.rows + " WHERE " + d.InList(p.ids[0].quoted, b.value(nil)) })
	}
	s.lock = s.get
	if d.facts.RowLocks {
		ids := d.text(func(b *builder) string { return selectWhere(p.ids, p.quoted, p.hasKey(b)) })
		s.claim = ids + " FOR UPDATE"
		if s.lock += d.forChange(); p.lists != nil {
			s.lock, s.hold = s.get, ids+d.forChange()
		}
	}
	s.insert = d.text(func(b *builder) string { return d.insertInto(b, p.quoted, p.own) + p.returning() })
	others := slices.DeleteFunc(slices.Clone(p.own), p.isID)
	if len(others) > 0 {
		s.create = d.text(func(b *builder) string { return d.insertInto(b, p.quoted, others) + p.returning() })
	} else {
		s.create = "INSERT INTO " + p.quoted + " " + d.DefaultRow(p.ids[0].quoted) + p.returning()
	}
	if made := d.facts.LastIdentity; made != "" {
		s.reread = d.text(func(b *builder) string { return selectWhere(s.returned, p.quoted, p.hasKey(b)) })
		s.remade = selectWhere(s.returned, p.quoted, p.ids[0].quoted+" = "+made)
	}
	s.remove = d.text(func(b *builder) string { return "DELETE FROM " + p.quoted + " WHERE " + p.hasKey(b) })
	if p.counts {
		s.advance = d.AdvanceIdentity(p.name, p.ids[0].name)
	}
}

// returning ends a statement that writes a row.
func (p *plan) returning() string {
	if p.dialect.facts.LastIdentity != "" {
		return ""
	}
	return " RETURNING " + list(p.statements.returned)
}

// selected writes the SELECT of columns of the table.
func (p *plan) selected(columns []*column) string {
	selected := names(columns)
	for i, c := range columns {
		if c.list != nil {
			selected[i] = c.list.selected
		}
	}
	return "SELECT " + strings.Join(selected, ", ")
}

// updates are the texts of updates by the columns that they write. They are kept up to a
// number, for clients could change the members of a wide record in many combinations.
type updates struct {
	mu    sync.RWMutex
	texts map[string]string
}

const maxUpdates = 200

// update returns the update of some columns, written once, and of those that are made of
// what the table has; the identifier is the last arguments.
func (p *plan) update(changed, kept []*column) string {
	var key []byte
	for _, c := range changed {
		key = append(append(key, c.name...), ' ')
	}
	for _, c := range kept {
		key = append(append(key, '='), c.name...)
	}
	p.updates.mu.RLock()
	text := p.updates.texts[string(key)]
	p.updates.mu.RUnlock()
	if text != "" {
		return text
	}
	text = p.dialect.text(func(b *builder) string { return p.writeUpdate(b, changed, kept) })
	p.updates.mu.Lock()
	defer p.updates.mu.Unlock()
	if p.updates.texts == nil {
		p.updates.texts = map[string]string{}
	}
	if len(p.updates.texts) < maxUpdates {
		p.updates.texts[string(key)] = text
	}
	return text
}

func (p *plan) writeUpdate(b *builder, changed, kept []*column) string {
	var set []string
	for _, c := range changed {
		set = append(set, c.quoted+" = "+b.value(nil))
	}
	for _, c := range kept {
		value := c.quoted
		if c.field == p.record.Version {
			value = nextVersion(c)
		}
		set = append(set, c.quoted+" = "+value)
	}
	return "UPDATE " + p.quoted + " SET " + strings.Join(set, ", ") + " WHERE " + p.hasKey(b) + p.returning()
}

// nextVersion returns the expression for the version that follows that in a column.
func nextVersion(c *column) string {
	return fmt.Sprintf("CASE WHEN %[1]s >= 0 AND %[1]s < %[2]d THEN %[1]s + 1 ELSE 1 END", c.quoted, c.field.LastVersion())
}
