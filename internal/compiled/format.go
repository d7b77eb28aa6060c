package compiled

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
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
	items *Format             // the same without Stream, which is only for collections
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
			f = ofAPI(f, made)
		}
		f = complete(f)
		f.ContentType = cmp.Or(f.ContentType, f.MediaType)
		f.ErrorType = cmp.Or(f.ErrorType, f.ContentType)
		formats[i] = &Format{Format: f, ContentTypes: []string{f.ContentType}, RefusalTypes: []string{f.ErrorType}}
		if f.Documents != nil {
			formats[i].Leads = new([]Lead)
		}
	}
	return formats, errors.Join(errs...)
}

// ofAPI returns the result of a format's ForAPI, with the settings by which clients select the format.
func ofAPI(f, made format.Format) format.Format {
	made.MediaType, made.Suffix, made.Reads, made.Patches = f.MediaType, f.Suffix, f.Reads, f.Patches
	made.JSON, made.Stream, made.ForAPI = f.JSON, f.Stream, nil
	made.ContentType = cmp.Or(made.ContentType, f.ContentType)
	return made
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
		o.addReader(reader)
		f, failed := o.plan(f, o.Out)
		errs = append(errs, failed)
		writes := f.Item != nil
		if o.Lists {
			writes = f.Collection.Item != nil && (o.Pages || !f.JSON || !f.Stream)
		}
		if !writes && (f.For == nil || o.Out != nil) {
			continue
		}
		if f.Stream && !o.Pages {
			f = f.ofItems()
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
	if v == o.Out && (o.Expansions != nil || o.HasNoPath()) {
		of.of = o
	}
	if known := f.plans[of]; known != nil {
		o.setBodyType(v, known.of)
		return known, nil
	}
	t := o.describeType(v, f.Linked)
	o.setBodyType(v, t)
	made, err := f.For(t)
	if err != nil {
		return f, fmt.Errorf("format %s: %w", f.MediaType, err)
	}
	plan := *f
	plan.plans, plan.items, plan.of = nil, nil, t
	plan.Read, plan.Item, plan.Collection, plan.Schema = made.Read, made.Item, made.Collection, made.Schema
	if made.Query != nil {
		plan.Query = made.Query
	}
	if f.plans == nil {
		f.plans = map[planKey]*Format{}
	}
	f.plans[of] = &plan
	return &plan, nil
}

// setBodyType records the type of the operation's body, for its error responses.
func (o *Operation) setBodyType(v *Value, t *format.Type) {
	if v == o.In {
		o.FormatBody = t
	}
}

// ofItems returns the format for responses that are not collections.
func (f *Format) ofItems() *Format {
	if f.items == nil {
		items := *f
		items.Stream = false
		f.items = &items
	}
	return f.items
}

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
func complete(f format.Format) format.Format {
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
	return f
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
