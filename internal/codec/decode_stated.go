package codec

import (
	"bytes"
	"reflect"
	"regexp"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/schema"
)

// checkStated returns a decoder that also checks values by the schema that their type states. The field keeps its value if
// the new one is not valid.
func checkStated(t *model.Type, decode decoder) decoder {
	goType, limits := t.Base(), *t.Stated
	var pattern *regexp.Regexp
	if limits.Pattern != "" { // compiled once, instead of for each value
		pattern, _ = schema.Compile(limits.Pattern) // New reports invalid ones
		limits.Pattern = ""
	}
	return func(d *decoding, at address) (bool, error) {
		if d.stored {
			return decode(d, at)
		}
		v := valueAt(at, goType)
		before := reflect.New(goType).Elem()
		before.Set(v)
		start := d.json.InputOffset()
		ok, err := decode(d, at)
		if !ok || err != nil {
			return ok, err
		}
		value := schema.Go(bytes.TrimLeft(d.body[start:d.json.InputOffset()], ":, \t\r\n"))
		text, isText := value.(string)
		if limits.AllowsAll(value) && (pattern == nil || !isText || pattern.MatchString(text)) {
			return true, nil
		}
		v.Set(before)
		if isText {
			d.wrong(codeType, badForm)
		} else {
			d.wrong(codeType, "has a value that is not allowed")
		}
		return false, nil
	}
}
