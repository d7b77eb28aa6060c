package compiled

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
)

// Format is a format with its defaults set, shared by operations and immutable.
type Format struct {
	format.Format

	ContentTypes, RefusalTypes []string // the header value as a list

	// Leads are the documents that each response links to; nil for none. They are set with the routes, when plans
	// already share them.
	Leads *[]Lead

	plans map[planKey]*Format // by what is read or written; only of a format with For
	of    *format.Type        // of a plan: its type
}

// Lead is a document of a format that responses link to.
type Lead struct{ Path, Rel string }

// planKey identifies a plan.
type planKey struct {
	value *Value
	of    *Operation // one that embeds records, or returns a list without a path; nil for others
}

// Formats compiles the formats that a user lists. It returns the errors of formats that do not support the API.
func Formats(listed []format.Format, api *format.API) ([]*Format, error) {
	formats := make([]*Format, len(listed))
	var errs []error
	for i, f := range listed {
		if f.ForAPI != nil {
			made, err := f.ForAPI(api)
			if err != nil {
				errs = append(errs, fmt.Errorf("format %s: %w", f.MediaType, err))
			}
			// The settings by which clients select the format stay.
			made.MediaType, made.Suffix, made.Reads, made.Patches = f.MediaType, f.Suffix, f.Reads, f.Patches
			made.JSON, made.Stream, made.ForAPI = f.JSON, f.Stream, nil
			made.ContentType = cmp.Or(made.ContentType, f.ContentType)
			f = made
		}
		complete(&f)
		f.ContentType = cmp.Or(f.ContentType, f.MediaType)
		f.ErrorType = cmp.Or(f.ErrorType, f.ContentType)
		formats[i] = &Format{Format: f, ContentTypes: []string{f.ContentType}, RefusalTypes: []string{f.ErrorType}}
		if f.Documents != nil {
			formats[i].Leads = new([]Lead)
		}
	}
	return formats, errors.Join(errs...)
}

// ChooseFormats sets the formats that support the operation, compiled for its body and response. It returns the errors
// of formats that do not support its types.
func (o *Operation) ChooseFormats(formats []*Format) error {
	var errs []error
	if slices.ContainsFunc(formats, func(f *Format) bool { return !f.JSON }) {
		o.FormatParameters = o.describeParameters()
	}
	for _, f := range formats {
		reader, failed := o.plan(f, o.In)
		errs = append(errs, failed)
		if o.Nested == nil || f.JSON { // other formats have their own form of lists
			o.addReader(reader)
		}
		f, failed := o.plan(f, o.Out)
		errs = append(errs, failed)
		writes := f.Item != nil
		if o.Lists {
			writes = f.Collection.Item != nil && (o.Pages || !f.JSON || !f.Stream)
		}
		if !writes && (f.For == nil || o.Out != nil) || o.Aggregates && f.Leads != nil { // which describes and links records
			continue
		}
		if f.Stream && !o.Pages { // it streams only collections
			f = new(*f)
			f.Stream = false
		}
		o.Formats = append(o.Formats, f)
	}
	return errors.Join(errs...)
}

// Offers lists the media types of Formats.
func (o *Operation) Offers() []string {
	var list []string
	for _, f := range o.Formats {
		list = append(list, f.MediaType)
	}
	return list
}

// DefaultFormat returns the first of Formats, one without functions if it is empty.
func (o *Operation) DefaultFormat() *Format {
	if len(o.Formats) == 0 {
		return new(Format)
	}
	return o.Formats[0]
}

// plan returns the format compiled for the body or response of the operation, which may be nil. It is not safe for
// concurrent use.
func (o *Operation) plan(f *Format, v *Value) (*Format, error) {
	if f.For == nil || v == nil || v.Type == nil {
		return f, nil
	}
	of := planKey{value: v}
	if v == o.Out && (o.Expansions != nil || o.HasNoPath() || o.Aggregates) {
		of.of = o
	}
	plan := f.plans[of]
	if plan == nil {
		t := o.describeType(v, f.Linked)
		made, err := f.For(t)
		if err != nil {
			return f, fmt.Errorf("format %s: %w", f.MediaType, err)
		}
		plan = new(*f)
		plan.plans, plan.of = nil, t
		plan.Read, plan.Item, plan.Collection, plan.Schema = made.Read, made.Item, made.Collection, made.Schema
		if made.Query != nil {
			plan.Query = made.Query
		}
		if f.plans == nil {
			f.plans = map[planKey]*Format{}
		}
		f.plans[of] = plan
	}
	if v == o.In {
		o.FormatBody = plan.of
	}
	return plan, nil
}

// IsPlanned reports whether the format is compiled for a type.
func (f *Format) IsPlanned() bool { return f.of != nil }

// addReader adds the media types of bodies that a format reads.
func (o *Operation) addReader(f *Format) {
	if !o.TakesBody() || f.Read == nil && (!f.JSON || f.Stream) {
		return
	}
	var types []string
	if o.Kind == operation.KindPatch {
		types = append(types, f.Patches...)
	}
	if f.Reads == nil {
		types = append(types, f.MediaType)
	}
	for _, mediaType := range append(types, f.Reads...) {
		o.MediaTypes, o.Readers = append(o.MediaTypes, mediaType), append(o.Readers, f)
	}
}

// complete sets the functions of a JSON format.
func complete(f *format.Format) {
	switch {
	case f.JSON && f.Stream:
		f.Collection.Item = func(b []byte, item format.Item) ([]byte, error) {
			b, err := item.AppendJSON(b)
			return append(b, '\n'), err
		}
	case f.JSON:
		f.Item = func(b []byte, item format.Item) ([]byte, error) { return item.AppendJSON(b) }
		f.Collection = format.Collection{
			Begin:     func(b []byte, _ format.Page) ([]byte, error) { return append(b, '['), nil },
			Item:      f.Item,
			Separator: ",",
			End:       func(b []byte, _ format.Page) ([]byte, error) { return append(b, ']'), nil },
		}
	}
}

// Suffixes lists the suffixes that the operation's paths accept, nil for none.
func (o *Operation) Suffixes() []string {
	if !o.Suffix {
		return nil
	}
	var suffixes []string
	for i := range o.Formats {
		if suffix := o.Formats[i].Suffix; suffix != "" && !slices.Contains(suffixes, suffix) {
			suffixes = append(suffixes, suffix)
		}
	}
	return suffixes
}

// PathWith returns the path of the operation with these variables. An identifier at its end that ends in the suffix of a
// format is not taken for it.
func (o *Operation) PathWith(variables func(name string) string) string {
	path := o.Template.Expand(variables)
	if !o.Suffix || !strings.HasSuffix(o.Template.Path(), "}") {
		return path
	}
	return string(uritemplate.EscapeSuffix([]byte(path), 0, o.Suffixes()))
}

// describeType describes a value of the operation for formats with For. Linked formats also get references of which
// responses show only the embedded record.
func (o *Operation) describeType(v *Value, linked bool) *format.Type {
	of := o.Resource
	d := &typeDescriber{api: o.API, known: map[typeSeen]*format.Type{}}
	if o.Aggregates && v == o.Out {
		return d.row(o.Parameters.AggregateColumns())
	}
	if v.Type.Struct != of.Struct && (v != o.In || o.Input == nil) && (v != o.Out || o.Output == nil) {
		of = nil // a handler's own type
	}
	if v != o.Out {
		return d.valueOf(v, of, nil)
	}
	described := d.valueOf(v, of, o.Expansions)
	described.NoPath = o.HasNoPath()
	for i := range described.Fields {
		m := &described.Fields[i]
		m.Required = m.Required && (o.Sparse == nil || slices.ContainsFunc(o.Sparse.Fields, func(known model.ViewField) bool {
			return known.Field.Name == m.Name && known.Required // clients may leave out others
		}))
	}
	for _, e := range o.Expansions {
		if linked && e.Alone != nil {
			described.Fields = append(described.Fields, d.onlyEmbedded(o.Resource.Struct, e))
		}
	}
	return described
}

// onlyEmbedded describes a reference of which a response shows only the record. It is always present, and null if the
// record is deleted or hidden.
func (d *typeDescriber) onlyEmbedded(of *model.Struct, e *Expansion) format.TypeField {
	member := format.TypeField{
		Name: e.Field.Name, Description: e.Field.Doc, Reference: d.api.describeReference(of, e.Field),
		Type: d.typeOfField(&model.ViewField{Field: e.Field}), Readable: true, Required: true, Always: true, OnlyEmbedded: true,
	}
	if !e.Field.Reference.Many {
		nullable := *member.Type
		nullable.Nullable, member.Type = true, &nullable
	}
	inner := &typeDescriber{api: d.api, known: map[typeSeen]*format.Type{}}
	member.Embedded = inner.valueOf(e.Shown, e.Resource, e.Inner)
	return member
}

// valueOf describes a value with the records that responses can embed. Of is the resource of a record, nil for other
// values.
func (d *typeDescriber) valueOf(v *Value, of *Resource, expansions []*Expansion) *format.Type {
	described := d.typeOf(v.Type, v.View)
	described.Order = v.Order
	described.Request = v.View != nil && v.View.Request
	described.Stored = described.Request && v.View.Named
	if of != nil {
		described.Name = of.ShortName
	}
	for i := range described.Fields {
		m := &described.Fields[i]
		if of != nil {
			m.Required = m.Required && of.alwaysHas(m.Name, v.View)
		}
		if of != nil && m.Name == of.ID.Name() {
			described.ID = m.Name
		}
		at := slices.IndexFunc(expansions, func(e *Expansion) bool { return e.Field.Name == m.Name })
		if at < 0 {
			continue
		}
		e := expansions[at]
		inner := &typeDescriber{api: d.api, known: map[typeSeen]*format.Type{}}
		m.Embedded, m.Always = inner.valueOf(e.Shown, e.Resource, e.Inner), e.Always
	}
	return described
}

// alwaysHas reports whether the access rules let every caller see the field, or send it in a replacing body. A caller
// who may not read a field does not get it and cannot send it.
func (r *Resource) alwaysHas(name string, of *model.View) bool {
	rules := r.Members[name]
	switch {
	case of == nil || !of.Request:
		return IsOpen(rules.Read)
	case of.Named && !of.Removes:
		return IsOpen(rules.Read) && IsOpen(rules.Write)
	}
	return true
}

// typeDescriber describes types. A type that contains itself is registered before it is complete.
type typeDescriber struct {
	api   *API
	known map[typeSeen]*format.Type
}

// typeSeen is a type with a view.
type typeSeen struct {
	typ *model.Type
	of  *model.View
}

var kinds = map[model.Kind]format.Kind{
	model.Bool: format.Boolean, model.Int: format.Integer, model.Uint: format.Integer, model.Float: format.Number, model.Numeral: format.Number,
	model.String: format.Text, model.Bytes: format.Text, model.Time: format.Text, model.Text: format.Text,
	model.Object: format.Object, model.List: format.List, model.Array: format.List, model.Map: format.Map,
	model.Custom: format.Any, model.Any: format.Any,
}

// formats are OpenAPI formats that refine a kind.
var formats = map[model.Kind]string{model.Time: "date-time", model.Bytes: "byte"}

// typeOf describes a type. The view is of the struct that it is or contains.
func (d *typeDescriber) typeOf(t *model.Type, of *model.View) *format.Type {
	seen := typeSeen{t, of}
	if known := d.known[seen]; known != nil {
		return known
	}
	made := &format.Type{Kind: kinds[t.Kind], Format: formats[t.Kind], Nullable: t.Nullable}
	switch {
	case t.IsDate():
		made.Format = "date"
	case t.Digits != nil:
		made.Format = "decimal"
	}
	d.known[seen] = made
	if t.Elem != nil {
		made.Elem = d.typeOf(t.Elem, of)
	}
	if t.Kind != model.Object || of == nil {
		return made
	}
	made.Fields = make([]format.TypeField, len(of.Fields))
	for i := range of.Fields {
		m := &of.Fields[i]
		made.Fields[i] = format.TypeField{
			Name: m.Field.Name, Description: m.Field.Doc, Type: d.typeOfField(m), Reference: d.api.describeReference(of.Struct, m.Field),
			Readable: m.Readable, Writable: m.Writable, Required: m.Required,
		}
	}
	return made
}

// typeOfField describes the type of a field. A reference that clients see as a path is a string.
func (d *typeDescriber) typeOfField(m *model.ViewField) *format.Type {
	shown := m.Field.Shown()
	switch {
	case shown == nil && m.Field.Type != nil:
		return d.typeOf(m.Field.Type, m.Inner)
	case shown != nil && shown.Many:
		return &format.Type{Kind: format.List, Elem: &format.Type{Kind: format.Text}}
	}
	return &format.Type{Kind: format.Text, Nullable: m.Field.Type != nil && m.Field.Type.Nullable}
}

// describeReference describes the reference of a field, nil if it is not one.
func (a *API) describeReference(s *model.Struct, f *model.Field) *format.Reference {
	r := f.Reference
	switch {
	case r == nil || r.Target == nil:
		return nil
	case slices.Contains(s.Inverses, f):
		return &format.Reference{To: r.To, Many: true, Inverse: true}
	}
	// Functions instead of values, because the paths of the other resource are set after all operations are compiled.
	keys := &keyReader{api: a, reference: r}
	return &format.Reference{
		To: r.Name, Many: r.Many, Identifiers: a.Identifiers,
		AppendPath: keys.appendAddress, AppendID: keys.appendID, AppendValue: keys.appendValue, IDAt: keys.idAt,
	}
}

// keyReader converts between the JSON of a reference and the form that formats use.
type keyReader struct {
	api       *API
	reference *model.Reference
}

// path returns the paths of the referenced records, nil for none.
func (k *keyReader) path() *uritemplate.RecordPath {
	if target := k.api.ByStruct[k.reference.Target]; target != nil {
		return target.RecordPath
	}
	return nil
}

// appendAddress appends the path of a referenced record. It reuses the path in the JSON, so that links are the same in
// all formats.
func (k *keyReader) appendAddress(b, value []byte) []byte {
	switch target := k.path(); {
	case !k.api.Identifiers:
		return unquote(b, value)
	case target != nil:
		return target.Append(b, string(unquote(nil, value)))
	}
	return b
}

func (k *keyReader) appendID(b, value []byte) []byte {
	if k.api.Identifiers {
		return unquote(b, value)
	}
	target := k.path()
	if target == nil || len(value) < 2 {
		return b
	}
	if number, ok := target.Digits(value[1 : len(value)-1]); ok { // without allocation
		return append(b, number...)
	}
	id, _ := target.Read(string(unquote(nil, value)))
	return append(b, id...)
}

// unquote appends the value of a JSON string, or the JSON of a number.
func unquote(b, value []byte) []byte {
	if len(value) == 0 || value[0] != '"' {
		return append(b, value...)
	}
	b, _ = jsontext.AppendUnquote(b, value) // it was written by an encoder
	return b
}

// appendValue appends the JSON of a reference to the record with an identifier, so that it is checked like any other
// body.
func (k *keyReader) appendValue(b []byte, id string) ([]byte, bool) {
	_, ok := k.reference.Target.Identifier().Parse(id)
	target := k.path()
	if !ok || target == nil && !k.api.Identifiers {
		return b, false
	}
	kind := k.reference.Key.Kind
	switch {
	case !k.api.Identifiers:
		b, _ = jsontext.AppendQuote(b, target.Append(nil, id))
	case kind.IsInteger():
		b = append(b, id...)
	default:
		b, _ = jsontext.AppendQuote(b, id)
	}
	return b, true
}

func (k *keyReader) idAt(address string) (string, bool) {
	target := k.path()
	if target == nil {
		return "", false
	}
	return target.Read(address)
}
