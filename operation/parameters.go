package operation

import "reflect"

// ParameterSet is a set of additional parameters of an operation. Only [Parameters] implements it; nil means none.
type ParameterSet interface {
	// Type returns the struct type whose fields are the parameters.
	Type() reflect.Type

	sealed()
}

// Parameters declares the fields of the struct P as parameters of an operation. Fields tagged api:"header" are header
// fields; all others are query parameters. Names, rules, defaults and descriptions come from the same tags as those of
// a resource. A field is a boolean, number, string, time or a type that marshals itself as text. A slice of these is a
// parameter that can be repeated. A parameter missing from the request has its default, else its zero value.
//
//	type Forecast struct {
//		Days  int    `json:"days" validate:"gte=1,lte=14" default:"7" doc:"Number of days."`
//		Units string `json:"X-Units" api:"header" validate:"omitempty,oneof=metric imperial"`
//	}
//
//	var forecast operation.Parameters[Forecast]
//
//	operation.Get{Parameters: forecast, …}
//
// Hooks and handlers read them with [Parameters.Of].
type Parameters[P any] struct{}

// Of returns the parameters of a request, or a zero P if its operation does not declare them. Each request has its own
// P.
func (Parameters[P]) Of(req *Request) *P {
	if req != nil {
		if own, ok := req.Parameters.(*P); ok && own != nil {
			return own
		}
	}
	return new(P)
}

// Type returns the type P.
func (Parameters[P]) Type() reflect.Type { return reflect.TypeFor[P]() }

func (Parameters[P]) sealed() {}
