package codec

import "reflect"

// DecodeByTokens decodes as Decode does, but by the decoder alone.
func (c *Decoder) DecodeByTokens(body []byte, into any) (Decoded, error) {
	d := new(decoding)
	if err := c.read(d, body, reflect.ValueOf(into)); err != nil {
		return Decoded{}, err
	}
	decoded := d.result()
	decoded.View = c.view
	return decoded, nil
}

// Scan decodes by the scanner alone, and reports whether it could.
func (c *Decoder) Scan(body []byte, into any) bool {
	return c.scan(new(decoding), body, reflect.ValueOf(into))
}
