package codec

import (
	"bytes"
	"cmp"
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
	// CodeReference is for a value that is not a reference, or refers to a record that does not exist.
	CodeReference = "reference"
)

// maxHints is how many unknown fields get a suggestion, because finding the nearest name is slow.
const maxHints = 20

// findings are what is wrong with the body.
type findings struct {
	model.Report

	missing  []model.Violation // reported after all others
	mistyped bool
	hinted   int // unknown fields with a suggestion
}

// wrong reports the value at the end of the location. The predicate continues a sentence that begins with the value's
// name: "must be a number".
func (d *decoding) wrong(code, predicate string) {
	d.mistyped = true
	if d.Full() {
		d.Skip(&d.location)
		return
	}
	d.AddAt(&d.location, validation.Violation{Code: code, Message: d.sentence(predicate)})
}

func (d *decoding) sentence(predicate string) string {
	subject := d.subject
	if d.location.Len() > 0 {
		subject = d.location.Leaf()
	}
	if subject == "" {
		return predicate
	}
	return subject + " " + predicate
}

// rejected reports that a value's own type rejected it. Only the text of violations reaches the client.
func (d *decoding) rejected(err error) {
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
			d.AddBelow(&d.location, v)
		case d.IsReported(&d.location):
		case d.Full():
			d.Skip(&d.location)
		default:
			v.Message = d.sentence(v.Message)
			d.AddAt(&d.location, v)
		}
	}
}

// skipWrong skips the next value and reports its wrong type.
func (d *decoding) skipWrong(want string) error {
	if err := d.json.SkipValue(); err != nil {
		return err
	}
	d.wrong(codeType, "must be "+want)
	return nil
}

// unknown skips and reports a field that the struct does not have. Stores may have fields that were removed from
// the struct.
func (d *decoding) unknown(o *objectPlan, name []byte) error {
	switch {
	case d.stored:
	case bytes.IndexByte(name, 0) >= 0:
		d.wrong(codeNUL, nulName)
	case d.Full(): // no need for its place
		d.mistyped = true
		d.More++
	default:
		text := string(name)
		d.mistyped = true
		d.location.ToUnknown(text)
		d.AddAt(&d.location, validation.Violation{
			Code: codeUnknown, Message: `Unknown field "` + model.Shorten(text, maxShownName) + `"` + d.hint(o, text),
		})
		d.location.Up()
	}
	return d.json.SkipValue()
}

// hint suggests the nearest field of a struct, or lists its fields if they are few.
func (d *decoding) hint(o *objectPlan, name string) string {
	if d.hinted >= maxHints || len(name) > maxShownName {
		return ""
	}
	// Computing the distances for thousands of unknown fields would take too long.
	d.hinted++
	const few = 12
	hint := naming.DidYouMean(name, o.suggested)
	if n := len(o.suggested); hint == "" && n > 0 && n <= few {
		return "; allowed: " + strings.Join(o.suggested, ", ")
	}
	return hint
}

// require reports a missing required field of the struct at the end of the location. If the message tag has no text for
// required, that for any other rule serves, because a missing field would break that rule.
func (d *decoding) require(f *model.Field) {
	d.location.ToField(f)
	if d.Full() || len(d.missing) >= model.MaxViolations {
		d.Skip(&d.location)
	} else {
		texts := []string{f.Messages[codeRequired]}
		for _, rule := range f.Rules.All {
			texts = append(texts, f.Messages[rule.Name])
		}
		message := cmp.Or(cmp.Or(texts...), f.Messages[""], f.Name+" is required")
		d.missing = append(d.missing, d.At(&d.location, validation.Violation{Code: codeRequired, Message: message}))
	}
	d.location.Up()
}
