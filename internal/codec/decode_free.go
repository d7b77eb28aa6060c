package codec

import (
	"errors"
	"math"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// freely are the options of values whose type does not state their form. Numbers keep their text, because float64 does
// not have all integers of 64 bits. The JSON is deterministic, because ETags are hashes of the bytes.
var freely = json.JoinOptions( //nolint:gochecknoglobals // a constant
	json.Deterministic(true),
	json.WithMarshalers(json.MarshalToFunc(writeNumeral)),
	json.WithUnmarshalers(json.UnmarshalFromFunc(readNumeral)),
)

// writeNumeral writes a json.Number as encoding/json does: as a number, which is 0 for the zero value.
func writeNumeral(to *jsontext.Encoder, number model.Number) error {
	if number == "" {
		number = "0"
	}
	text := jsontext.Value(number)
	if text.Kind() != jsontext.KindNumber {
		return errors.New("the json.Number is not a number")
	}
	return to.WriteValue(text) //nolint:wrapcheck // the encoder says what is wrong
}

// readNumeral reads a number into an any as a json.Number.
func readNumeral(from *jsontext.Decoder, into *any) error {
	if from.PeekKind() != jsontext.KindNumber {
		return errors.ErrUnsupported
	}
	text, err := from.ReadValue()
	if err != nil {
		return err //nolint:wrapcheck // the decoder says what is wrong
	}
	if !isFinite(text) {
		return errors.New("the number is beyond float64") // most readers of JSON would not have it either
	}
	*into = model.Number(text)
	return nil
}

// isFinite reports whether a JSON number is in the range of float64.
func isFinite(number []byte) bool {
	n, err := strconv.ParseFloat(string(number), 64)
	return err == nil && !math.IsInf(n, 0)
}

// decodeAny returns the decoder of values of type any: maps, slices, strings and bools, as in encoding/json, and
// numbers as json.Number.
func decodeAny(in position) decoder {
	return func(d *decoding, at address) (bool, error) {
		raw, err := d.json.ReadValue()
		if err != nil || d.rejectNUL(raw) {
			return false, err
		}
		var value any
		// The text is well-formed, so the only possible error is a number beyond float64.
		if json.Unmarshal(raw, &value, freely) != nil {
			d.wrong(codeType, "must contain only numbers between "+limits64)
			return false, nil
		}
		into := (*any)(at)
		switch {
		case in.merges:
			value = mergePatch(*into, value)
		case in.removes:
			value = mergePatch(nil, value)
		}
		*into = value
		return true, nil
	}
}

// mergePatch applies a merge patch to a value and returns the result (RFC 7396, section 2). It may change target,
// which belongs to a clone of the record.
func mergePatch(target, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	// By RFC 7396, an object replaces anything that is not an object. Hooks may have set a struct or another map
	// type, which are objects in JSON.
	merged, ok := target.(map[string]any)
	if !ok && target != nil {
		text, err := json.Marshal(target, freely)
		if err != nil || json.Unmarshal(text, &merged, freely) != nil {
			merged = nil
		}
	}
	if merged == nil {
		merged = map[string]any{}
	}
	for name, change := range changes {
		if change == nil {
			delete(merged, name)
		} else {
			merged[name] = mergePatch(merged[name], change)
		}
	}
	return merged
}

// decodeCustom returns the decoder of a type that unmarshals itself from JSON, including null. A merge patch that is an
// object is merged into the JSON of the current value, and the type reads the result.
func decodeCustom(t reflect.Type, in position) decoder {
	return func(d *decoding, at address) (bool, error) {
		raw, err := d.json.ReadValue()
		if err != nil || d.rejectNUL(raw) {
			return false, err
		}
		if in.removes && raw.Kind() == jsontext.KindBeginObject {
			var current, changes any
			if in.merges {
				current = valueAt(at, t).Addr().Interface()
			}
			if err = json.Unmarshal(raw, &changes, freely); err == nil {
				raw, err = json.Marshal(mergePatch(current, changes), freely)
			}
			if err != nil {
				d.wrong(codeType, "must contain only numbers between "+limits64)
				return false, nil
			}
		}
		// A new value, because a method that fails halfway must leave the field unchanged.
		made := reflect.New(t)
		if err := json.Unmarshal(raw, made.Interface()); err != nil {
			d.rejected(err)
			return false, nil
		}
		valueAt(at, t).Set(made.Elem())
		return true, nil
	}
}
