package httpserve

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/execute"
)

// addsAlone reports whether the answer shows records without their references, in a format in which they stand there.
func (i *item) addsAlone() bool {
	return !i.within && i.x.format.Linked && slices.ContainsFunc(i.references(), func(e *execute.Embedded) bool { return e.Alone != nil })
}

// appendAlone adds the references of which the answer shows the record alone: null where there is none, and in
// lists only those whose record is there. In linked formats the record stands where the reference does.
func (i *item) appendAlone(members []format.Member) ([]format.Member, error) {
	for _, e := range i.references() {
		if e.Alone == nil {
			continue
		}
		found, err := i.x.call.Referred(i.x.work.ctx, e, i.record, i.value)
		if err != nil {
			return members, err
		}
		_, alone, err := e.Alone.AppendMembers(nil, i.value, nil)
		if err != nil || len(alone) == 0 {
			return members, err
		}
		reference := alone[0]
		switch {
		case e.Field.Reference.Many:
			reference.JSON, err = withoutGone(reference.JSON, found)
		case len(found) == 0 || found[0] == nil:
			reference.JSON = []byte("null")
		}
		if err != nil {
			return members, err
		}
		members = append(members, reference)
	}
	return members, nil
}

// withoutGone leaves out of a list of references those whose record is gone or hidden.
func withoutGone(list []byte, found []any) ([]byte, error) {
	var references []jsontext.Value
	if err := json.Unmarshal(list, &references); err != nil {
		return nil, err //nolint:wrapcheck // it was written by an encoder
	}
	b := []byte{'['}
	for at, reference := range references {
		if at >= len(found) || found[at] == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(b, reference...)
	}
	return append(b, ']'), nil
}
