package codec

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/trove-api/trove/internal/model"
)

// Encoder encodes values by a view. It is safe for use by many goroutines; it is planned by
// its first use.
type Encoder struct {
	codec   *Codec
	view    *model.View
	once    sync.Once
	encode  encoder
	members []memberEncoder // nil for what is not a struct
}

func (e *Encoder) plan() {
	e.once.Do(func() {
		encoders := newEncoders()
		e.encode = encoders.of(e.codec.typ, e.view)
		if object := encoders.objects[e.view]; object != nil {
			e.members = object.members
		}
	})
}

// Narrow returns an encoder of a view that has some of the encoder's members, as a request
// may choose them. What is in a member is as it was. Nothing is planned for it.
func (e *Encoder) Narrow(to *model.View) *Encoder {
	e.plan()
	chosen := &objectEncoder{make([]memberEncoder, 0, len(to.Members))}
	for i := range e.members {
		if to.Member(e.members[i].field) != nil {
			chosen.members = append(chosen.members, e.members[i])
		}
	}
	narrow := &Encoder{codec: e.codec, view: to}
	narrow.once.Do(func() { narrow.encode, narrow.members = chosen.encode, chosen.members })
	return narrow
}

// View returns the view that the encoder is of.
func (e *Encoder) View() *model.View { return e.view }

// Append appends the JSON of a value, or of what it points to, to b; a nil pointer is
// null. It has the members that the view shows; those beside the struct, where the value is
// a *[Completed]. The error is of a value that JSON has no form
// for: a number that is not finite, a string that is not UTF-8, a value that contains
// itself, or one whose own method fails. b is then to be dropped.
func (e *Encoder) Append(b []byte, value any) ([]byte, error) {
	e.plan()
	if completed, ok := value.(*Completed); ok {
		return e.appendCompleted(b, completed)
	}
	return e.codec.append(b, value, e.encode)
}

func (c *Codec) append(b []byte, value any, encode encoder) ([]byte, error) {
	at, err := c.locate(value)
	switch {
	case err != nil:
		return b, err
	case at.isNil():
		return append(b, "null"...), nil
	}
	b, err = encode(b, at, 0)
	if err != nil {
		return b, fmt.Errorf("codec: %w", err)
	}
	return b, nil
}

// locate returns the address of a value of the codec's type, nil for null. Nearly always it is the
// pointer to a record. What handlers return may be a value, or a pointer to a pointer.
func (c *Codec) locate(value any) (_ address, err error) {
	v := reflect.ValueOf(value)
	if !v.IsValid() || v.Type() != c.pointer {
		if v, err = c.pointerTo(v); err != nil {
			return address{}, err
		}
	}
	return addressIn(v), nil
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
	// Plans go by address, which a value in an interface has none of.
	made := reflect.New(c.goType)
	made.Elem().Set(v)
	return made, nil
}

// encoder is the plan by which values of one type are encoded. It appends the JSON of
// what stands at the address to b; depth is how many objects and arrays are open.
type encoder func(b []byte, at address, depth int) ([]byte, error)

var errTooDeep = errors.New("the value is nested too deeply for JSON; perhaps it contains itself")

// within says in an error which part of the value it is about.
// The path is made while the error goes up, so that encoding keeps none.
func within(step string, err error) error {
	if errors.Is(err, errTooDeep) {
		return err // thousands of steps help nobody
	}
	return fmt.Errorf("%s: %w", step, err)
}
