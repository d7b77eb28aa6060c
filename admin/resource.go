package admin

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
)

// Resource configures a resource in the admin. Its zero value, but for Name, changes nothing.
type Resource struct {
	// Name is the short name of the resource. Required.
	Name string
	// Title is what people call its records, in the plural. Default: the name in words, such as "Dragon treasures".
	Title string
	// Singular is what people call one record. Default: the name in words, such as "Dragon treasure".
	Singular string
	// Help is a text above the list. Default: the description of the resource.
	Help string
	// RecordTitle is the title of a record, with fields in braces: "{item.name}, {from}". A reference is shown as the title
	// of the record that it refers to. A dot leads to a field of that record. Callers who may not see one of the fields get
	// the default. Default: the value of the field with the word title in its api tag, else of one with a usual name.
	RecordTitle string
	// Hidden leaves the resource out of the admin. The API serves it nevertheless. Default: false.
	Hidden bool
	// Columns are the fields that a list shows at first, by JSON name. People can choose others. Default: the title of
	// records and up to five other fields with short values.
	Columns []string
	// Groups divides the form and the details of a record. Fields in no group follow in one without a title. Default: one
	// group.
	Groups []Group
	// Fields configures fields by JSON name. Default: what the API declares.
	Fields map[string]Field
	// Filter is the query of a list that is opened without one, such as "status=requested". It may have filters and the
	// search. Default: none.
	Filter string
	// Sort is the sort order of a list that is opened without one, such as "-from,name". Default: that of the API.
	Sort string
	// Operations configures the buttons of operations by their id. Default: what the API declares.
	Operations map[string]Action
}

// Group is a part of a form. Its zero value is an error, because it has no field.
type Group struct {
	// Title is the heading of the group. Default: none.
	Title string
	// Fields are the fields of the group, by JSON name, in this order. Required: at least one. A field is in one group.
	Fields []string
	// Columns is how many columns a wide page shows the fields in: 1 or 2. Default: 1.
	Columns int
}

// Field configures a field in the admin. Its zero value changes nothing.
type Field struct {
	// Label is the name of the field. Default: the JSON name in words, such as "Published at".
	Label string
	// Help is a text at the input. Default: the description of the field.
	Help string
	// Widget is how the field is edited and shown: "text" (several lines), "markdown", "code" or "color" for a string,
	// "date" for a string or a date, "image" for a string, a URL or bytes, and "json" for an object, a list or free JSON.
	// Default: "", what the type of the field suggests.
	Widget string
	// Width is the width of the column in lists, in characters, up to 200. Default: 0, as wide as the values.
	Width int
	// Values are titles of the values of an enumeration. Default: the values.
	Values map[string]string
	// Currency is the code of the currency of a number or decimal, such as "EUR". Integers are in its smallest unit, such as
	// cents. Forms edit the value itself, and show the amount below it. Default: none, the field is a plain number.
	Currency string
}

// Action configures the button of an operation. Its zero value changes nothing.
type Action struct {
	// Title is what the button does, such as "Cancel booking". Default: the summary of the operation.
	Title string
	// Danger shows the button in red, because people may lose something. Default: false; a Delete is always red.
	Danger bool
}

// maxWidth is the maximum width of a column.
const maxWidth = 200

// checkResources returns the errors in the resources of the config.
func (c *Config) checkResources(api *invoke.API) error {
	var errs []error
	listed := map[string]bool{}
	for i := range c.Resources {
		one := &c.Resources[i]
		if listed[one.Name] {
			errs = append(errs, fmt.Errorf("config: Resources: resource %q is listed twice", one.Name))
			continue
		}
		listed[one.Name] = true
		r, err := api.Resource(one.Name)
		if err != nil {
			errs = append(errs, fmt.Errorf("config: Resources: %w", err))
			continue
		}
		checked := resourceCheck{Resource: r, config: one}
		checked.names, checked.schemas = r.Schemas()
		checked.fields()
		checked.groups()
		checked.title()
		checked.query()
		checked.operations()
		errs = append(errs, checked.errs...)
	}
	return errors.Join(errs...)
}

// resourceCheck collects the errors in the config of one resource.
type resourceCheck struct {
	*invoke.Resource

	config  *Resource
	names   []string                  // of fields
	schemas map[string]*schema.Schema // of fields
	errs    []error
}

func (c *resourceCheck) fail(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("config: Resources: "+c.ShortName+": "+format, args...))
}

// field reports whether a name is one of the names that a place allows, and not in a list before.
func (c *resourceCheck) field(place, name string, before, allowed []string) bool {
	switch {
	case !slices.Contains(allowed, name):
		c.fail("%s: unknown field %q%s", place, name, naming.Allowed(name, allowed))
	case slices.Contains(before, name):
		c.fail("%s: duplicate field %q", place, name)
	default:
		return true
	}
	return false
}

func (c *resourceCheck) fields() {
	for i, name := range c.config.Columns {
		c.field("Columns", name, c.config.Columns[:i], c.Columns())
	}
	for _, name := range slices.Sorted(maps.Keys(c.config.Fields)) {
		if !c.field("Fields", name, nil, c.names) {
			continue
		}
		f, of := c.config.Fields[name], c.schemas[name]
		if allowed := widgetsOf(of); f.Widget != "" && !slices.Contains(allowed, f.Widget) {
			c.fail("Fields: %s: the widget %q does not support the field%s", name, f.Widget, naming.Allowed(f.Widget, allowed))
		}
		if f.Width < 0 || f.Width > maxWidth {
			c.fail("Fields: %s: the width %d is out of range; allowed: 0 to %d", name, f.Width, maxWidth)
		}
		c.currency(name, f.Currency, of)
		values := of.Texts()
		if f.Values != nil && values == nil {
			c.fail("Fields: %s: the field is not an enumeration, so it has no titles of values; remove Values", name)
			continue
		}
		for _, value := range slices.Sorted(maps.Keys(f.Values)) {
			if !slices.Contains(values, value) {
				c.fail("Fields: %s: unknown value %q%s", name, value, naming.Allowed(value, values))
			}
		}
	}
}

// currency checks the currency of a field with a schema, "" for none.
func (c *resourceCheck) currency(name, code string, of *schema.Schema) {
	isNumber := func(name string) bool { return name == schema.Integer || name == schema.Number }
	isAmount := of.Format == "decimal" || slices.ContainsFunc(of.Type, isNumber)
	if code != "" && (!isAmount || !currencies.MatchString(code)) {
		c.fail("Fields: %s: %q is not the currency of a number; set it on a number, as %q", name, code, "EUR")
	}
}

func (c *resourceCheck) groups() {
	var before []string
	for _, g := range c.config.Groups {
		if len(g.Fields) == 0 {
			c.fail("Groups: the group %q has no fields", g.Title)
		}
		if g.Columns < 0 || g.Columns > 2 {
			c.fail("Groups: the group %q has %d columns; allowed: 1, 2", g.Title, g.Columns)
		}
		for _, name := range g.Fields {
			c.field("Groups", name, before, c.names)
			before = append(before, name)
		}
	}
}

// title checks the title of records.
func (c *resourceCheck) title() {
	if c.config.RecordTitle == "" {
		return
	}
	parts, ok := parseTitle(c.config.RecordTitle)
	if !ok || !slices.ContainsFunc(parts, func(p titlePart) bool { return p.Field != "" }) {
		c.fail("RecordTitle: %q is not a title; write fields in braces, with one dot at most, such as %q", c.config.RecordTitle, "{name}, {owner.name}")
		return
	}
	for _, p := range parts {
		if p.Field == "" || !c.field("RecordTitle", p.Field, nil, c.names) || p.Of == "" {
			continue
		}
		f := c.Field(p.Field)
		if f == nil || f.To == nil || f.Inverse || f.Reference.Many {
			c.fail("RecordTitle: %s does not refer to one record, so {%s.%s} has no value", p.Field, p.Field, p.Of)
		} else if allowed := f.To.Columns(); !slices.Contains(allowed, p.Of) {
			c.fail("RecordTitle: %s refers to %s, which has no field %q%s", p.Field, f.To.ShortName, p.Of, naming.Allowed(p.Of, allowed))
		}
	}
}

// query checks the filter and the sort order of lists.
func (c *resourceCheck) query() {
	if c.config.Filter == "" && c.config.Sort == "" {
		return
	}
	list := sourceOf(c.Resource, false)
	if list == nil {
		c.fail("Filter, Sort: the resource has no list")
		return
	}
	for _, err := range list.CheckFilter(c.config.Filter) {
		c.fail("Filter: %w", err)
	}
	for _, err := range list.CheckSort(c.config.Sort) {
		c.fail("Sort: %w", err)
	}
}

func (c *resourceCheck) operations() {
	var ids []string
	for _, op := range c.Operations {
		ids = append(ids, op.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(c.config.Operations)) {
		if !slices.Contains(ids, id) {
			c.fail("Operations: operation %q does not exist%s", id, naming.Allowed(id, ids))
		}
	}
}

// widgetsOf lists the widgets that support values with a schema.
func widgetsOf(of *schema.Schema) []string {
	has := func(name string) bool { return slices.Contains(of.Type, name) }
	switch isBytes := of.ContentEncoding != "" || of.Format == "byte"; {
	case has(schema.Object), has(schema.Array), of.Ref == nil && len(of.Type) == 0:
		return []string{"json"}
	case !has(schema.String), of.Enum != nil:
	case isBytes, of.Format == "uri", of.Format == "uri-reference":
		return []string{"image"}
	case of.Format == "date", of.Format == "date-time":
		return []string{"date"}
	case of.Format == "":
		return []string{"text", "markdown", "code", "color", "date", "image"}
	}
	return nil
}
