package httpserve

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
)

// embedded is the member in which answers have what a record refers to.
const embedded = `,"_embedded":{`

// appendEmbedded appends what a record refers to, within the object that b ends with.
func (x *exchange) appendEmbedded(b []byte, list []*execute.Embedded, of *compiled.Resource, record any) ([]byte, error) {
	if list == nil {
		return b, nil
	}
	b = append(b[:len(b)-1], embedded...)
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = jsontext.AppendQuote(b, e.Field.Name); err != nil {
			return b, err
		}
		found, err := x.call.Referred(x.r.Context(), e, of, record)
		if err == nil {
			b, err = x.appendReferred(append(b, ':'), e, found)
		}
		if err != nil {
			return b, err
		}
	}
	return append(b, '}', '}'), nil
}

// appendReferred appends what a record refers to by one reference: null where there is nothing.
func (x *exchange) appendReferred(b []byte, e *execute.Embedded, found []any) (_ []byte, err error) {
	switch {
	case found == nil:
		return append(b, "null"...), nil
	case !e.Field.Reference.Many:
		return x.appendOne(b, e, found[0])
	}
	b = append(b, '[')
	for i, one := range found {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = x.appendOne(b, e, one); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

func (x *exchange) appendOne(b []byte, e *execute.Embedded, record any) ([]byte, error) {
	if record == nil {
		return append(b, "null"...), nil
	}
	b, err := e.Encoder(record).Append(b, record)
	if err != nil {
		return b, err
	}
	return x.appendEmbedded(b, e.Inner, e.Resource, record)
}
