package codec

import "github.com/go-json-experiment/json/jsontext"

// label is what stands in front of the value of a member.
type label struct {
	text  string
	short [shortLabel]byte // begins with the text, if that is no longer
}

// shortLabel is how many bytes of known number are copied without a call.
const shortLabel = 16

// labelOf returns the name of a member between a comma and a colon, and the quotation mark
// behind them that the value begins with, if it does.
func labelOf(name string, quote bool) label {
	text, _ := jsontext.AppendQuote([]byte{','}, name)
	if text = append(text, ':'); quote {
		text = append(text, '"')
	}
	l := label{text: string(text)}
	copy(l.short[:], text)
	return l
}

// append appends the label to b.
func (l *label) append(b []byte) []byte {
	if len(l.text) > shortLabel {
		return append(b, l.text...)
	}
	return append(b, l.short[:]...)[:len(b)+len(l.text)]
}
