package sqlstore

import "strings"

// statements are the texts of a table that are always the same.
type statements struct {
	fields  []*column // what get and lock read
	get     string
	lock    string // get, for a transaction that may change the record
	insert  string // with the identifier
	create  string // without it; returns the one that was made
	advance string // keeps an identifier that was given from being made; "" where that needs nothing
	remove  string
	order   []*column // of the values of insert; create lacks the identifier
}

// prepare writes them.
func (p *plan) prepare() statements {
	s := statements{fields: p.fields(), order: p.columns}
	flavor := p.dialect.Flavor
	get := flavor.NewSelectBuilder().Select(names(s.fields)...).From(quote(p.name))
	get.Where(get.Equal(quote(p.id.name), 0))
	s.get, _ = get.Build()
	s.lock, _ = get.Build()
	if p.dialect.RowLocks {
		s.lock, _ = get.ForUpdate().Build()
	}
	s.insert, _ = flavor.NewInsertBuilder().InsertInto(quote(p.name)).Cols(names(p.columns)...).Values(placeholders(len(p.columns))...).Build()
	var others []*column
	for _, c := range p.columns {
		if c != p.id {
			others = append(others, c)
		}
	}
	create := flavor.NewInsertBuilder().InsertInto(quote(p.name))
	if len(others) > 0 {
		create.Cols(names(others)...).Values(placeholders(len(others))...)
		s.create, _ = create.Returning(quote(p.id.name)).Build()
	} else {
		s.create = "INSERT INTO " + quote(p.name) + " DEFAULT VALUES RETURNING " + quote(p.id.name)
	}
	remove := flavor.NewDeleteBuilder().DeleteFrom(quote(p.name))
	s.remove, _ = remove.Where(remove.Equal(quote(p.id.name), 0)).Build()
	s.advance = strings.NewReplacer("{table}", quote(p.name), "{column}", p.id.name).Replace(p.dialect.AdvanceIdentity)
	return s
}

// names lists the quoted names of columns.
func names(columns []*column) []string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = quote(c.name)
	}
	return list
}

// update writes the update of some columns; the identifier is the last argument.
func (p *plan) update(changed []*column) string {
	update := p.dialect.Flavor.NewUpdateBuilder().Update(quote(p.name))
	for _, c := range changed {
		update.SetMore(update.Assign(quote(c.name), 0))
	}
	statement, _ := update.Where(update.Equal(quote(p.id.name), 0)).Build()
	return statement
}

// placeholders are values for the builder, which writes placeholders for them.
func placeholders(n int) []any {
	values := make([]any, n)
	for i := range values {
		values[i] = 0
	}
	return values
}
