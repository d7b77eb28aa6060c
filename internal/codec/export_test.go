package codec

import "reflect"

// DecodeByTokens decodes as Decode does, but by the decoder alone.
func (c *Codec) DecodeByTokens(body []byte, into any, mode Mode) (Decoded, error) {
	d := new(decoding)
	if err := c.read(d, body, reflect.ValueOf(into), mode); err != nil {
		return Decoded{}, err
	}
	return d.result(), nil
}

// Scan decodes by the scanner alone, and reports whether it could.
func (c *Codec) Scan(body []byte, into any, mode Mode) bool {
	return c.scan(new(decoding), body, reflect.ValueOf(into), mode)
}
