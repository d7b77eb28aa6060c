package codec

import (
	"bytes"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/validation"
)

// Codes of the violations that decoding finds.
const (
	codeType     = "type"
	codeUnknown  = "unknown"
	codeNUL      = "nul"
	codeRequired = "required"
	// CodeReference is of a value that stands for no record, or for none that is there.
	CodeReference = "reference"
)

// maxHints is how many unknown members are told what is known: finding the nearest name
// takes long.
const maxHints = 20

// findings are what is wrong with the body that is decoded.
type findings struct {
	model.Report

	missing  []model.Violation // told behind all others
	mistyped bool
	hinted   int // unknown members that were told what is known
}

// wrong notes that the value at the trail's end is not what it must be. The predicate
// continues a sentence that begins with the value's name: "must be a number".
func (d *decoding) wrong(code, predicate string) {
	d.mistyped = true
	if d.Full() {
		d.Skip(&d.trail)
		return
	}
	d.AddAt(&d.trail, validation.Violation{Code: code, Message: d.sentence(predicate)})
}

func (d *decoding) sentence(predicate string) string {
	subject := d.subject
	if d.trail.Len() > 0 {
		subject = d.trail.Leaf()
	}
	if subject == "" {
		return predicate
	}
	return subject + " " + predicate
}

// refused notes that the type of the value at the trail's end did not take it. What the
// type says to the client is told, as the predicate of a sentence; any other error may have
// anything in it, and is not.
func (d *decoding) refused(err error) {
	found, only := validation.Violations(err)
	// The text of any other error may repeat the value, or name a host, a path or a table.
	if !only || len(found) == 0 {
		d.wrong(codeType, badForm)
		return
	}
	d.mistyped = true
	for _, v := range found {
		switch {
		case v.Field != "":
			d.AddBelow(&d.trail, v)
		case d.IsTold(&d.trail):
		case d.Full():
			d.Skip(&d.trail)
		default:
			v.Message = d.sentence(v.Message)
			d.AddAt(&d.trail, v)
		}
	}
}

// skipWrong passes over the next value, which is of the wrong type.
func (d *decoding) skipWrong(want string) error {
	if err := d.json.SkipValue(); err != nil {
		return err
	}
	d.wrong(codeType, "must be "+want)
	return nil
}

// unknown passes over a member that the struct at the trail's end does not have, and notes it. What stores keep may
// be of a field that is no longer there.
func (d *decoding) unknown(o *objectPlan, name []byte) error {
	switch {
	case d.kept:
	case bytes.IndexByte(name, 0) >= 0:
		d.wrong(codeNUL, nulName)
	case d.Full(): // nobody looks for the place of what is in no record
		d.mistyped = true
		d.More++
	default:
		text := string(name)
		d.mistyped = true
		d.trail.ToUnknown(text)
		d.AddAt(&d.trail, validation.Violation{
			Code: codeUnknown, Message: `Unknown field "` + model.Shorten(text, maxShownName) + `"` + d.hint(o, text),
		})
		d.trail.Up()
	}
	return d.json.SkipValue()
}

// hint tells which members a struct has, if they are few, and the nearest of them.
func (d *decoding) hint(o *objectPlan, name string) string {
	if d.hinted >= maxHints || len(name) > maxShownName {
		return ""
	}
	// The distance to each known name is computed, so that a body of thousands of unknown members
	// would be answered slowly.
	d.hinted++
	const few = 12
	hint := naming.DidYouMean(name, o.suggested)
	if n := len(o.suggested); hint == "" && n > 0 && n <= few {
		return "; allowed: " + strings.Join(o.suggested, ", ")
	}
	return hint
}

// require notes that a required member is missing from the struct at the trail's end.
func (d *decoding) require(f *model.Field) {
	d.trail.ToField(f)
	if d.Full() || len(d.missing) >= model.MaxViolations {
		d.Skip(&d.trail)
	} else {
		d.missing = append(d.missing, d.At(&d.trail, validation.Violation{Code: codeRequired, Message: requiredMessage(f)}))
	}
	d.trail.Up()
}

// requiredMessage returns the user's own text for a missing member, or ours. A text for
// any of the field's rules serves: the member is missing because it would break them.
func requiredMessage(f *model.Field) string {
	if text := f.Messages[codeRequired]; text != "" {
		return text
	}
	for _, rule := range f.Rules.All {
		if text := f.Messages[rule.Name]; text != "" {
			return text
		}
	}
	if text := f.Messages[""]; text != "" {
		return text
	}
	return f.Name + " is required"
}
