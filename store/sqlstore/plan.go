package sqlstore

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

// plan describes how records of one struct are stored in a table.
type plan struct {
	encoder
	settings

	quoted      string // the name of the table, with its schema if it has one
	alias       string // the quoted name without the schema
	typ         reflect.Type
	typName     string // of the Go type, as tags name it
	record      *model.Struct
	records     *codec.Records
	dialect     *dialect
	columns     []*column // of fields, then those for queries, then lists with their own tables
	own         []*column // the columns in the table itself
	lists       []*column // the columns with their own tables
	ids         []*column // the columns of the identifier, in field order
	key         model.Identifier
	generatesID bool                    // the database generates the identifier
	deleted     *column                 // the time of the deletion to the trash; nil without a trash
	byName      map[string]fieldColumns // by path
	err         error                   // all errors, joined

	db        *DB
	referring atomic.Pointer[referrers]
	keyNames  atomic.Pointer[map[string]string] // fields by foreign key, for keys created by others

	constraints   []*constraint
	before, after step                             // of a write of a record; nil unless the struct has periods
	broken        atomic.Pointer[map[string]error] // the errors of unique indexes; see brokenByName
	statements    statements
}

// fieldColumns are the columns of a field; nil if it has no such column.
type fieldColumns struct {
	value    *column // stores the value
	compared *column // used to compare and sort: the order key, or else the value
	folded   *column
	words    *column
}

// sqlName matches names that PostgreSQL does not cut and that need no escapes. tableName matches one with or without a
// schema.
var (
	sqlName   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,47}$`)
	tableName = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]{0,47}\.)?[A-Za-z_][A-Za-z0-9_]{0,47}$`)
)

// isColumnName reports whether a column can have a name. Trove's own tables have up to 15 more characters in names that
// are derived from it.
func (p *planner) isColumnName(name string) bool {
	most := maxName
	if !p.existing {
		most = 48
	}
	return name != "" && len(name) <= most && utf8.ValidString(name) && strings.TrimSpace(name) == name &&
		!strings.HasPrefix(name, aliasPrefix) && !strings.ContainsFunc(name, func(r rune) bool { return r == '"' || unicode.IsControl(r) })
}

// planner makes the plan of a struct.
type planner struct {
	*plan

	errs []error
}

// newPlan returns the plan of a struct. Check reports its errors.
func newPlan(db *DB, t reflect.Type, options []Option) *plan {
	p := &planner{plan: &plan{typ: t, typName: naming.TypeName(t), byName: map[string]fieldColumns{}}}
	record, err := model.Compile(t)
	if p.err = errors.Join(db.ready(), err); p.err == nil {
		p.record, p.key, p.records, p.db, p.dialect = record, record.Identifier(), codec.CompileRecords(record), db, db.dialect
		p.arrange(options)
		p.err = errors.Join(p.errs...)
	}
	if p.err == nil {
		p.prepareLists()
		p.prepare()
		db.register(p.plan)
	}
	return p.plan
}

// arrange sets up the columns.
func (p *planner) arrange(options []Option) {
	p.name = snake(naming.NewPlurals().Name(p.typName))
	for _, option := range options {
		option(&p.settings)
	}
	if !tableName.MatchString(p.name) {
		p.fail("the table is named %q; use up to 48 letters, digits and underscores, after a schema and a dot if it is in one", p.name)
	}
	p.quoted, p.alias = p.dialect.table(p.name), p.dialect.Quote(base(p.name))
	p.encoder = encoder{facts: &p.dialect.facts, nilIsNull: !p.existing && !p.nilIsEmpty}
	p.addFields()
	if !p.existing {
		for _, path := range p.record.Paths() {
			p.addShadows(path)
		}
	}
	p.own = p.columns
	p.columns = append(slices.Clip(p.columns), p.lists...)
	p.checkNames()
	if p.errs == nil {
		p.addConstraints()
	}
	p.generatesID = p.key.Generated() && len(p.ids) > 0 && p.ids[0].field.Type.Kind != model.Text
}

func (p *planner) fail(format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("sqlstore: %s: "+format, append([]any{p.typName}, args...)...))
}

func (p *planner) addFields() {
	for _, f := range p.record.Fields {
		path, _ := p.record.Path(f.Name)
		if p.isJoined(f) {
			c := p.listColumn(path, f)
			p.lists, p.byName[f.Name] = append(p.lists, c), fieldColumns{value: c, compared: c}
			continue
		}
		if f.Type.Kind == model.Key {
			p.addKey(path, f)
			continue
		}
		c := p.column(columnName(f), path, f, p.encode(f.Type))
		if p.existing || !p.hasKey(f.Type) {
			c.unique, c.indexed, c.sorted = f.Unique, c.needsIndex(f) && !f.Unique, f.Sort || refersToOne(f)
		}
		c.nullable = f.Type.Nullable || c.null
		if slices.Contains(p.record.IDs, f) {
			p.ids = append(p.ids, c)
		}
		if f == p.record.Deleted {
			p.deleted = c
		}
		c.limit = p.limitOf(c, p.declared[c.name])
		c.bind = c.limit.bindWithin(c.bind)
		p.columns = append(p.columns, c)
		p.byName[f.Name] = fieldColumns{value: c, compared: p.adapt(c)}
	}
}

// columnName returns the name of a field's column.
func columnName(f *model.Field) string { return cmp.Or(f.Column, snake(f.Name)) }

// snake returns a name in snake case, such as avatar_number for avatarNumber.
func snake(name string) string {
	return strings.ToLower(strings.Join(naming.Words(name), "_"))
}

// checkNames checks that column names are valid and unique.
func (p *planner) checkNames() {
	seen := map[string]*column{}
	for _, c := range p.columns {
		switch other := seen[strings.ToLower(c.name)]; {
		case !p.isColumnName(c.name):
			p.fail("the column of %s is named %q; use up to 48 bytes without double quotes and control characters; set the name with the tag db",
				c.path.Name, c.name)
		case other != nil:
			p.fail("%s and %s both have the column %q; set another name with the tag db", other.path.Name, c.path.Name, c.name)
		}
		seen[strings.ToLower(c.name)] = c
	}
}

// isID reports whether a column is part of the identifier.
func (p *plan) isID(c *column) bool { return slices.Contains(p.ids, c) }

// typeOf returns the type of a column.
func (p *plan) typeOf(c *column) string {
	facts := p.facts
	switch digits := c.field.Type.Digits; {
	case facts.KeyLength > 0 && p.isKey(c) && c.keyed:
		return fmt.Sprintf("%s(%d)", facts.KeyBlob, utf8.UTFMax*c.path.Leaf().MaxIndexed())
	case facts.KeyLength > 0 && p.isKey(c) && c.typ == blob:
		return fmt.Sprintf("%s(%d)", facts.KeyBlob, cmp.Or(c.path.Leaf().MaxIndexed(), keyLength))
	case facts.KeyLength > 0 && p.isKey(c) && c.typ == text:
		return p.keyText(c)
	case c.typ == text && p.isKey(c):
		return facts.KeyText
	case c.typ == decimal:
		return fmt.Sprintf("%s(%d,%d)", facts.Decimal, digits.Precision, digits.Scale)
	}
	return map[columnType]string{
		boolean: facts.Boolean, integer: facts.Integer, float: facts.Float, text: facts.Text,
		blob: facts.Blob, instant: facts.Time, day: facts.Date, document: facts.Document, words: p.words().WordsType(),
	}[c.typ]
}

// keyText returns the type of a column with strings in a key, in databases where that has a length.
func (p *plan) keyText(c *column) string {
	return fmt.Sprintf("%s(%d)", p.facts.KeyText, cmp.Or(c.path.Leaf().MaxIndexed(), keyLength))
}

// keyLength is the length of a string in a key that has no limit of its own, such as a reference.
const keyLength = 255

// uniqueIndex returns the name of the index that keeps a column unique.
func (p *plan) uniqueIndex(c *column) string {
	if p.deleted != nil { // another name than that of an index for all rows
		return p.indexName(c, "living_key")
	}
	return p.indexName(c, "key")
}
