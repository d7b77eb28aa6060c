package operation

import "reflect"

// ParameterSet are parameters of an operation that its own code reads. A [Parameters] is
// the only one; nil is none.
type ParameterSet interface {
	// Type returns the struct type whose fields are the parameters.
	Type() reflect.Type

	sealed()
}

// Parameters declares the fields of the struct P as parameters of an operation: those
// tagged api:"header" as fields of the header, all others of the query. Names, rules,
// defaults and texts come from the same tags as those of a resource. A field is a
// boolean, number, string, time or a type that marshals itself as text; or a slice of
// these, which is a parameter given several times. A parameter that the request does not
// have is its default, else its zero value.
//
//	type Forecast struct {
//		Days  int    `json:"days" validate:"gte=1,lte=14" default:"7" doc:"How far to look."`
//		Units string `json:"X-Units" api:"header" validate:"omitempty,oneof=metric imperial"`
//	}
//
//	var forecast operation.Parameters[Forecast]
//
//	operation.Get{Parameters: forecast, …}
//
// Hooks and handlers read them by [Parameters.Of].
type Parameters[P any] struct{}

// Of returns the parameters of a request, or a zero P where its operation has not
// declared these. They belong to the request.
func (Parameters[P]) Of(req *Request) *P {
	if req != nil {
		if own, ok := req.Parameters.(*P); ok && own != nil {
			return own
		}
	}
	return new(P)
}

// Type returns P.
func (Parameters[P]) Type() reflect.Type { return reflect.TypeFor[P]() }

func (Parameters[P]) sealed() {}
