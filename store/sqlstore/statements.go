package sqlstore

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/huandu/go-sqlbuilder"
)

// statements are the texts of a table that are always the same.
type statements struct {
	fields []*column // what get and lock read
	get    string
	many   string // get for an array of identifiers; "" where they are given in another way
	lock   string // get, for a transaction that may change the record
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
}

// prepare writes them.
func (p *plan) prepare() statements {
	s := statements{fields: p.fields(), returned: slices.Clone(p.ids)}
	for _, c := range s.fields {
		if c.list != nil {
			continue
		}
		counted := c.field == p.record.Version || c.field == p.record.Created
		if !p.isID(c) && (p.foreign || !c.exact || counted) {
			s.returned = append(s.returned, c)
		}
	}
	flavor := p.dialect.Flavor
	get := flavor.NewSelectBuilder().Select(p.selected(s.fields)...).From(quote(p.name))
	get.Where(p.hasKey(&get.Cond))
	s.get, _ = get.Build()
	if len(p.ids) == 1 && p.hasArrays(p.ids[0]) {
		many := flavor.NewSelectBuilder().Select(p.selected(s.fields)...).From(quote(p.name))
		s.many, _ = many.Where(p.inList(p.ids[0], many.Var(0))).Build()
	}
	s.lock = s.get
	if p.dialect.RowLocks {
		s.lock += " " + p.dialect.forChange()
		ids, _ := get.Select(names(p.ids)...).Build()
		s.claim = ids + " FOR UPDATE"
		if p.lists != nil {
			s.lock, s.hold = s.get, ids+" "+p.dialect.forChange()
		}
	}
	insert := flavor.NewInsertBuilder().InsertInto(quote(p.name)).Cols(names(p.own())...).Values(placeholders(len(p.own()))...)
	s.insert, _ = insert.Returning(names(s.returned)...).Build()
	var others []*column
	for _, c := range p.own() {
		if !p.isID(c) {
			others = append(others, c)
		}
	}
	create := flavor.NewInsertBuilder().InsertInto(quote(p.name))
	if len(others) > 0 {
		create.Cols(names(others)...).Values(placeholders(len(others))...)
		s.create, _ = create.Returning(names(s.returned)...).Build()
	} else {
		s.create = "INSERT INTO " + quote(p.name) + " DEFAULT VALUES RETURNING " + strings.Join(names(s.returned), ", ")
	}
	remove := flavor.NewDeleteBuilder().DeleteFrom(quote(p.name))
	s.remove, _ = remove.Where(p.hasKey(&remove.Cond)).Build()
	s.advance = strings.NewReplacer("{table}", quote(p.name), "{column}", p.ids[0].name).Replace(p.dialect.AdvanceIdentity)
	return s
}

// hasKey writes that a row has an identifier, with a placeholder for each of its columns.
func (p *plan) hasKey(b *sqlbuilder.Cond) string {
	equal := make([]string, len(p.ids))
	for i, c := range p.ids {
		equal[i] = b.Equal(quote(c.name), 0)
	}
	return strings.Join(equal, " AND ")
}

// selected lists columns as a statement selects them from the table.
func (p *plan) selected(columns []*column) []string {
	list := names(columns)
	for i, c := range columns {
		if c.list != nil {
			list[i] = c.list.selected(p)
		}
	}
	return list
}

// names lists the quoted names of columns.
func names(columns []*column) []string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = quote(c.name)
	}
	return list
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
	text = p.writeUpdate(changed, kept)
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

func (p *plan) writeUpdate(changed, kept []*column) string {
	update := p.dialect.Flavor.NewUpdateBuilder().Update(quote(p.name))
	for _, c := range changed {
		update.SetMore(update.Assign(quote(c.name), 0))
	}
	for _, c := range kept {
		name := quote(c.name)
		if c.field == p.record.Version {
			update.SetMore(name + " = " + nextVersion(c))
		} else {
			update.SetMore(name + " = " + name)
		}
	}
	statement, _ := update.Where(p.hasKey(&update.Cond)).Returning(names(p.statements.returned)...).Build()
	return statement
}

// nextVersion returns the expression for the version that follows that in a column.
func nextVersion(c *column) string {
	name := quote(c.name)
	return fmt.Sprintf("CASE WHEN %s >= 0 AND %s < %d THEN %s + 1 ELSE 1 END", name, name, c.field.LastVersion(), name)
}

// placeholders are values for the builder, which writes placeholders for them.
func placeholders(n int) []any {
	values := make([]any, n)
	for i := range values {
		values[i] = 0
	}
	return values
}
