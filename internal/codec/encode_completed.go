package codec

// Completed is a value with members beside its own, as it is encoded.
// It is for computed members, which are no fields of the struct that a plan could find.
type Completed struct {
	Of      any    // a struct, or a pointer to one
	Members []byte // the JSON of its other members, each with a comma before it
}

// appendCompleted appends an object with members beside its own.
func (e *Encoder) appendCompleted(b []byte, value *Completed) ([]byte, error) {
	start := len(b)
	b, err := e.codec.append(b, value.Of, e.encode)
	if err != nil || len(value.Members) == 0 || b[len(b)-1] != '}' { // null has no members
		return b, err
	}
	b = b[:len(b)-1]
	if len(b) == start+1 {
		return append(append(b, value.Members[1:]...), '}'), nil
	}
	return append(append(b, value.Members...), '}'), nil
}
