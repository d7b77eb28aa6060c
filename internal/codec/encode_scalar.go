package codec

import (
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json"
)

func encodeBool(b []byte, at address, _ int) ([]byte, error) {
	return strconv.AppendBool(b, *as[bool](at)), nil
}

// encodeOther returns the encoder of a type that marshals itself as JSON, and of any.
// Deterministic, since tags are hashes of what is written.
func encodeOther(t reflect.Type) encoder {
	return func(b []byte, at address, _ int) ([]byte, error) {
		text, err := json.Marshal(at.value(t).Addr().Interface(), json.Deterministic(true))
		return append(b, text...), err
	}
}
