package codec

import (
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/validation"
)

// wrong notes that the value at the path is not what it must be. The predicate
// continues a sentence that begins with the value's name: "must be a number".
func (d *decoding) wrong(code, predicate string) {
	d.mistyped = true
	if d.full() {
		return
	}
	v := validation.Violation{Field: d.path.String(), Code: code, Message: d.sentence(predicate)}
	d.charge(v.Field, v.Message)
	d.found = append(d.found, v)
}

func (d *decoding) sentence(predicate string) string {
	subject := d.subject
	if len(d.path) > 0 {
		subject = d.path.leaf()
	}
	if subject == "" {
		return predicate
	}
	return subject + " " + predicate
}

// skipWrong passes over the next value, which is of the wrong type.
func (d *decoding) skipWrong(want string) error {
	if err := d.json.SkipValue(); err != nil {
		return err
	}
	d.wrong(codeType, "must be "+want)
	return nil
}

// unknown notes a member that the struct at the path does not have.
func (d *decoding) unknown(o *object, name []byte) {
	if d.full() {
		d.mistyped = true
		return
	}
	asField := &model.Field{Name: string(name)} // as if there were one, to stand in the path
	d.path = append(d.path, step{field: asField})
	d.wrong(codeUnknown, "is not known"+d.hint(o, asField.Name))
	d.leave()
}

// hint tells which members a struct has, if they are few, and the nearest of them.
func (d *decoding) hint(o *object, name string) string {
	if d.hints <= 0 || len(name) > maxShownName {
		return ""
	}
	d.hints--
	const few = 12
	hint := naming.DidYouMean(name, o.writable)
	if n := len(o.writable); n > 0 && n <= few {
		return "; allowed: " + strings.Join(o.writable, ", ") + hint
	}
	return hint
}

// require notes that a required member is missing from the struct at the path.
func (d *decoding) require(f *model.Field) {
	if d.full() {
		return
	}
	d.path = append(d.path, step{field: f})
	v := validation.Violation{Field: d.path.String(), Code: codeRequired, Message: requiredMessage(f)}
	d.leave()
	d.charge(v.Field, v.Message)
	d.missing = append(d.missing, v)
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

// noteEmpty notes that the body has the field at the path with an empty value.
func (d *decoding) noteEmpty(f *model.Field) {
	if d.full() {
		return
	}
	e := Empty{Field: f, Path: d.path.String(), GoPath: d.path.goPath()}
	d.charge(e.Path, e.GoPath)
	d.empty = append(d.empty, e)
}
