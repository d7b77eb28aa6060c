package codec

import (
	"errors"
	"fmt"
	"reflect"
)

// Append appends the JSON of a value, or of what it points to, to b; a nil pointer is
// null. Write-only members are left out. The error is of a value that JSON has no form
// for: a number that is not finite, a string that is not UTF-8, a value that contains
// itself, or one whose own method fails. b is then to be dropped.
func (c *Codec) Append(b []byte, value any) ([]byte, error) {
	return c.append(b, value, c.encoding().encode)
}

// AppendState appends what makes the state of a value as JSON: all of its members, those
// that are write-only too.
func (c *Codec) AppendState(b []byte, value any) ([]byte, error) {
	plan := c.encoding()
	if plan.state != nil {
		return c.append(b, value, plan.state)
	}
	return c.append(b, value, plan.encode)
}

// ShowsState reports whether Append writes all members, so that AppendState writes the
// same.
func (c *Codec) ShowsState() bool { return c.encoding().state == nil }

func (c *Codec) append(b []byte, value any, encode encoder) ([]byte, error) {
	v := reflect.ValueOf(value)
	if !v.IsValid() || v.Type() != c.pointer {
		var err error
		if v, err = c.pointerTo(v); err != nil {
			return b, err
		}
	}
	at := addressIn(v)
	if at.isNil() {
		return append(b, "null"...), nil
	}
	b, err := encode(b, at, 0)
	if err != nil {
		return b, fmt.Errorf("codec: %w", err)
	}
	return b, nil
}

// pointerTo returns a pointer to a value of the codec's type: nil for an invalid value, or
// where a pointer on the way is nil.
func (c *Codec) pointerTo(v reflect.Value) (reflect.Value, error) {
	for v.Kind() == reflect.Pointer && v.Type() != c.pointer {
		v = v.Elem()
	}
	switch {
	case !v.IsValid():
		return reflect.Zero(c.pointer), nil
	case v.Type() == c.pointer:
		return v, nil
	case v.Type() != c.goType:
		return v, fmt.Errorf("codec: a value of type %s cannot be written as %s", v.Type(), c.goType)
	}
	made := reflect.New(c.goType)
	made.Elem().Set(v)
	return made, nil
}

// encoder is the plan by which values of one type are encoded. It appends the JSON of
// what stands at the address to b; depth is how many objects and arrays are open.
type encoder func(b []byte, at address, depth int) ([]byte, error)

var errTooDeep = errors.New("the value is nested too deeply for JSON; perhaps it contains itself")

// within says in an error which part of the value it is about.
func within(step string, err error) error {
	if errors.Is(err, errTooDeep) {
		return err // thousands of steps help nobody
	}
	return fmt.Errorf("%s: %w", step, err)
}
