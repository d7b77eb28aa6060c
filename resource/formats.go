package resource

import (
	"errors"
	"fmt"
	"mime"
	"regexp"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
)

// formats sets the formats of an operation: its own list, else the resource's or the API's, limited to those that
// support the operation.
func (o *operationCompiler) formats() {
	declared, of := o.c.config.Formats, "Config"
	switch {
	case o.metadata.Formats != nil:
		declared, of = o.metadata.Formats, o.where
		o.c.note(o.where, errors.Join(checkFormats(declared)...))
	case o.definition.defaults.Formats != nil:
		declared, of = o.definition.defaults.Formats, o.Resource.ShortName
	}
	o.c.noteOperation(o.where, o.Resource, o.ChooseFormats(o.c.formatsOf(o.where, declared)))
	if len(declared) == 0 {
		return
	}
	// Each error is reported once for a list, and not for each operation.
	switch {
	case o.HasResponseBody() && len(o.Formats) == 0 && o.Pages:
		o.c.fail(of, "Formats has no format that writes a collection; give one a Collection")
	case o.HasResponseBody() && len(o.Formats) == 0:
		o.c.fail(of, "Formats has no format that writes one item; give one an Item")
	}
	if o.TakesBody() && len(o.MediaTypes) == 0 {
		o.c.fail(of, "Formats has no format that reads a body; give one a Read")
	}
}

// formatsOf compiles a list of formats, once for all operations that have it.
func (c *compiler) formatsOf(where string, declared []format.Format) []*compiled.Format {
	if len(declared) == 0 {
		return nil
	}
	known := c.completed[&declared[0]]
	if len(known) != len(declared) {
		made, err := compiled.Formats(declared, c.model.FormatAPI)
		c.note(where, err)
		known, c.completed[&declared[0]] = made, made
		c.formatted = append(c.formatted, made...)
	}
	return known
}

var (
	mediaType    = regexp.MustCompile(`^[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+$`)
	formatSuffix = regexp.MustCompile(`^\.[A-Za-z0-9][A-Za-z0-9._-]*$`)
)

// checkFormats returns the errors in a list of formats.
func checkFormats(formats []format.Format) (errs []error) {
	fail := func(i int, text string, args ...any) {
		errs = append(errs, fmt.Errorf("Formats[%d]"+text, append([]any{i}, args...)...))
	}
	if formats != nil && len(formats) == 0 {
		errs = append(errs, errors.New("Formats is empty; remove it for format.Standard()"))
	}
	answers, suffixes, bodies := map[string]int{}, map[string]int{}, map[string]int{}
	for i := range formats {
		f := &formats[i]
		if !checkMediaType(i, ".MediaType", f.MediaType, fail) {
			continue
		}
		if first, taken := answers[f.MediaType]; taken {
			fail(i, ".MediaType is %q, as is that of [%d]; use another one, because Accept must select one format", f.MediaType, first)
		}
		answers[f.MediaType] = i
		of, _, err := mime.ParseMediaType(f.ContentType)
		if f.ContentType != "" && (err != nil || of != f.MediaType || !isFieldValue(f.ContentType)) {
			fail(i, ".ContentType is %q; allowed: %s, with optional parameters", f.ContentType, f.MediaType)
		}
		switch first, twice := suffixes[f.Suffix]; {
		case f.Suffix == "":
		case !formatSuffix.MatchString(f.Suffix) && formatSuffix.MatchString("."+f.Suffix):
			fail(i, ".Suffix is %q; write it as %q", f.Suffix, "."+f.Suffix)
		case !formatSuffix.MatchString(f.Suffix):
			fail(i, ".Suffix is %q; use a dot, then letters and digits", f.Suffix)
		case twice:
			fail(i, ".Suffix is %q, as is that of [%d]; use another one", f.Suffix, first)
		}
		suffixes[f.Suffix] = i
		checkBodies(i, f, bodies, fail)
		checkFunctions(i, f, fail)
	}
	return errs
}

func checkMediaType(i int, name, text string, fail func(int, string, ...any)) bool {
	stem, _, _ := strings.Cut(text, ";")
	proper := strings.ToLower(strings.TrimSpace(stem))
	switch {
	case text == "":
		fail(i, name+" is missing; set one such as \"text/csv\"")
	case !mediaType.MatchString(proper):
		fail(i, name+" is %q, which is not a media type; use one such as \"text/csv\"", text)
	case proper != text:
		fail(i, name+" is %q; write it as %q", text, proper)
	default:
		return true
	}
	return false
}

// checkBodies checks what a format reads.
func checkBodies(i int, f *format.Format, taken map[string]int, fail func(int, string, ...any)) {
	reads := f.Read != nil || isMade(f) || f.JSON && !f.Stream
	if !reads {
		if len(f.Reads)+len(f.Patches) > 0 {
			fail(i, " has media types of bodies, but no Read; add Read, or remove Reads and Patches")
		}
		return
	}
	types := f.Reads
	if types == nil {
		types = []string{f.MediaType}
	}
	for _, text := range slices.Concat(f.Patches, types) {
		if !checkMediaType(i, ".Reads", text, fail) {
			continue
		}
		if first, twice := taken[text]; twice {
			fail(i, ".Reads has %q, which [%d] already reads; Content-Type must select one format", text, first)
		}
		taken[text] = i
	}
}

// isMade reports whether a format creates its functions for an API or for types.
func isMade(f *format.Format) bool { return f.ForAPI != nil || f.For != nil }

func checkFunctions(i int, f *format.Format, fail func(int, string, ...any)) {
	around := f.Collection.Begin != nil || f.Collection.End != nil || f.Collection.Separator != ""
	writes := f.Item != nil || f.Collection.Item != nil
	switch {
	case f.JSON && (f.Read != nil || isMade(f) || writes || around):
		fail(i, " has both JSON and functions of its own; remove one of the two")
	case !f.JSON && !writes && f.Read == nil && !isMade(f):
		fail(i, " needs an Item, a Collection or a Read")
	case !f.JSON && around && f.Collection.Item == nil:
		fail(i, ".Collection has no Item, which writes each record")
	case f.Stream && !f.JSON && f.Collection.Item == nil && !isMade(f):
		fail(i, ".Stream needs Collection.Item")
	}
}
