package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

// plan is how records of one struct are kept in a table.
type plan struct {
	name    string // of the table
	typ     reflect.Type
	typName string // of the Go type, as tags call it
	record  *model.Struct
	records *codec.Records
	dialect Dialect
	columns []*column // those of fields first, then those for queries, then lists in tables of their own
	lists   []*column // those of them that are in tables of their own
	ids     []*column // of the identifier, in the order of its fields
	key     model.Identifier
	find    map[string]fieldColumns // by path
	foreign bool                    // the table was not made by Trove
	// tellsNil says that columns have null for nil bytes, and for zero values of types that
	// marshal themselves as JSON, so that they are read as what they were.
	tellsNil bool
	errs     []error

	// copies returns the records with some keys as they are now, by their hashable keys: copies that nobody else has.
	copies func(ctx context.Context, from querier, keys []key) (map[any]any, error)

	db       *DB
	targets  map[string]string // tables that fields refer to, where it was said
	leaves   atomic.Pointer[leaving]
	keyNames atomic.Pointer[map[string]string] // foreign keys that others made, with the field

	constraints atomic.Pointer[map[string]string] // unique constraints that others made, with the field
	statements  statements
	updates     updates
}

// fieldColumns are the columns that have a field in them.
type fieldColumns struct {
	value  *column // nil where there is none
	folded *column // nil where there is none
	key    *column // of the order, nil where there is none
}

// compared is the column by which records are compared and ordered; nil where there is none.
func (at fieldColumns) compared() *column {
	if at.key != nil {
		return at.key
	}
	return at.value
}

// names of tables and columns: what PostgreSQL does not cut and nobody must escape.
var sqlName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,47}$`)

// planOf makes the plan of a struct. Its mistakes are told by Check.
func planOf(t reflect.Type, db *DB, options []Option) *plan {
	p := &plan{typ: t, typName: naming.TypeName(t), find: map[string]fieldColumns{}}
	p.note(db.ready())
	record, err := model.Compile(t)
	p.note(err)
	if len(p.errs) > 0 {
		return p
	}
	p.record, p.key, p.records, p.dialect = record, record.Identifier(), codec.CompileRecords(record), db.Dialect()
	settings := settings{table: snake(naming.NewPlurals().Name(naming.TypeName(t)))}
	for _, option := range options {
		option(&settings)
	}
	if p.name = settings.table; !sqlName.MatchString(p.name) {
		p.fail("the table's name is %q; allowed: up to 48 letters, digits and underscores", p.name)
	}
	p.db, p.targets = db, settings.targets
	p.foreign, p.tellsNil = settings.foreign, !settings.foreign && !settings.whole
	p.addFields(settings.inline)
	if !p.foreign {
		p.addShadows()
	}
	p.columns = append(p.columns, p.lists...)
	p.checkNames()
	if len(p.errs) == 0 {
		p.prepareLists()
		p.statements = p.prepare()
		db.register(p)
	}
	return p
}

func (p *plan) note(err error) {
	if err != nil {
		p.errs = append(p.errs, err)
	}
}

func (p *plan) fail(format string, args ...any) {
	p.note(fmt.Errorf("sqlstore: %s: "+format, append([]any{naming.TypeName(p.typ)}, args...)...))
}

// err joins the mistakes.
func (p *plan) err() error { return errors.Join(p.errs...) }

func (p *plan) addFields(inline []string) {
	for _, f := range p.record.Fields {
		path, _ := p.record.Path(f.Name)
		if p.isJoined(f) && !slices.Contains(inline, f.Name) {
			c := p.listColumn(path, f)
			p.lists, p.find[f.Name] = append(p.lists, c), fieldColumns{value: c}
			continue
		}
		if f.Type.Kind == model.Key {
			p.addKey(path, f)
			continue
		}
		c := &column{
			encodingOf: p.encode(f.Type), name: columnName(f), path: path, field: f,
		}
		if p.foreign || !f.Type.HasOrderKey() {
			c.unique, c.indexed, c.sorted = f.Unique, comparesValues(f) && !f.Unique, f.Sort || refersToOne(f)
		}
		c.nullable = f.Type.Nullable || c.null
		if slices.Contains(p.record.IDs, f) {
			p.ids = append(p.ids, c)
		}
		p.columns = append(p.columns, c)
		p.find[f.Name] = fieldColumns{value: c}
	}
}

func (p *plan) addShadows() {
	for _, path := range p.record.Paths() {
		for _, c := range p.shadowsOf(path) {
			p.columns = append(p.columns, c)
			at := p.find[path.Name]
			switch {
			case c.folded:
				at.folded = c
			case c.keyed:
				at.key = c
			default:
				at.value = c
			}
			p.find[path.Name] = at
		}
	}
}

// columnName returns the name of a field's column.
func columnName(f *model.Field) string { return cmp.Or(f.Column, snake(f.Name)) }

// snake returns a name in snake case: avatarNumber is avatar_number.
func snake(name string) string {
	return strings.ToLower(strings.Join(naming.Words(name), "_"))
}

// checkNames checks that the columns can be told apart.
func (p *plan) checkNames() {
	seen := map[string]*column{}
	for _, c := range p.columns {
		switch other := seen[strings.ToLower(c.name)]; {
		case !sqlName.MatchString(c.name):
			p.fail("the column of %s is %q; allowed: up to 48 letters, digits and underscores; set another by the tag db", c.path.Name, c.name)
		case other != nil:
			p.fail("%s and %s are both the column %q; set another by the tag db", other.path.Name, c.path.Name, c.name)
		}
		seen[strings.ToLower(c.name)] = c
	}
}

// own lists the columns that are in the table itself.
func (p *plan) own() []*column { return p.columns[:len(p.columns)-len(p.lists)] }

// fields lists the columns of the struct's fields.
func (p *plan) fields() []*column {
	var fields []*column
	for _, c := range p.columns {
		if !c.shadow {
			fields = append(fields, c)
		}
	}
	return fields
}

// isID reports whether a column is of the identifier.
func (p *plan) isID(c *column) bool { return slices.Contains(p.ids, c) }

// generated returns the column of an identifier that is made, nil where clients give it.
func (p *plan) generated() *column {
	if !p.key.Generated() {
		return nil
	}
	return p.ids[0]
}

// counts reports whether the database makes the identifier.
func (p *plan) counts() bool {
	id := p.generated()
	return id != nil && id.field.Type.Kind != model.Text
}

// uniqueIndex returns the name of the index that keeps a column's values unique.
func (p *plan) uniqueIndex(c *column) string { return p.indexName(c, "key") }

// quote quotes a name of the plan, none of which has a quote in it.
func quote(name string) string { return `"` + name + `"` }

// quoteAny quotes a name that the database has.
func quoteAny(name string) string { return quote(strings.ReplaceAll(name, `"`, `""`)) }
