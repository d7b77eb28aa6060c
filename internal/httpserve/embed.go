package httpserve

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/execute"
)

// embedded is the member in which answers have what a record refers to.
const embedded = `,"_embedded":{`

// appendEmbedded appends what a record refers to, within the object that b ends with.
func appendEmbedded(b []byte, list []*execute.Embedded, record any) (_ []byte, err error) {
	if list == nil {
		return b, nil
	}
	b = append(b[:len(b)-1], embedded...)
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = jsontext.AppendQuote(b, e.Field.Name); err != nil {
			return b, err
		}
		if b, err = appendReferred(append(b, ':'), e, record); err != nil {
			return b, err
		}
	}
	return append(b, '}', '}'), nil
}

// appendReferred appends what a record refers to by one reference: null where there is none.
func appendReferred(b []byte, e *execute.Embedded, record any) (_ []byte, err error) {
	found := e.Of(record)
	if !e.Field.Reference.Many {
		if len(found) == 0 {
			return append(b, "null"...), nil
		}
		return appendOne(b, e, found[0])
	}
	b = append(b, '[')
	for i, one := range found {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendOne(b, e, one); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

func appendOne(b []byte, e *execute.Embedded, record any) ([]byte, error) {
	if record == nil {
		return append(b, "null"...), nil
	}
	b, err := e.Encoder(record).Append(b, record)
	if err != nil {
		return b, err
	}
	return appendEmbedded(b, e.Inner, record)
}
