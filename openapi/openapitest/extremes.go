package openapitest

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
)

// endsOfTheCalendar are times that RFC 3339 has, and that are in another year, or none, in
// UTC. A service may refuse them.
var endsOfTheCalendar = [...]string{"9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59.999999999Z", "0001-01-01T00:00:00+23:59", "0000-01-01T00:00:00Z"}

// isLoose reports whether a body has a value that the document cannot call invalid, and that
// a service may refuse all the same.
func isLoose(body string) bool {
	for _, text := range endsOfTheCalendar {
		if strings.Contains(body, text) {
			return true
		}
	}
	return false
}

// extremes are the values of a schema that few think of.
func (d *document) extremes(schema object) []any {
	var found []any
	for _, kind := range typesOf(schema) {
		switch {
		case kind == "integer":
			for _, number := range []string{"9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616"} {
				found = append(found, json.Number(number))
			}
		case kind == "string" && schema["format"] == "date-time":
			for _, text := range endsOfTheCalendar {
				found = append(found, text)
			}
		case kind == "string" && schema["format"] == nil && schema["enum"] == nil:
			found = append(found, noise(4<<10))
		case kind == "object" && schema["additionalProperties"] != nil:
			element := d.resolve(schema["additionalProperties"])
			for _, value := range []any{"a", 1, true, []any{}, make([]any, 100), object{}} {
				if fits(element, value) {
					found = append(found, object{longName(): value})
				}
			}
		}
	}
	return found
}

// fits reports whether a value has a type of a schema.
func fits(schema object, value any) bool {
	types := typesOf(schema)
	for _, name := range types {
		switch value.(type) {
		case string:
			if name == "string" {
				return true
			}
		case int:
			if name == "integer" || name == "number" {
				return true
			}
		case bool:
			if name == "boolean" {
				return true
			}
		case []any:
			if name == "array" {
				return true
			}
		case object:
			if name == "object" {
				return true
			}
		}
	}
	return types == nil
}

// longName is a name with what separates the parts of paths.
func longName() string { return strings.Repeat("long.name[0]", 170) }

// noise is text that no database compresses, the same in each run.
func noise(length int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	random := rand.New(rand.NewPCG(1, uint64(length))) //nolint:gosec // it hides nothing
	var b strings.Builder
	for range length {
		b.WriteByte(letters[random.IntN(len(letters))])
	}
	return b.String()
}
