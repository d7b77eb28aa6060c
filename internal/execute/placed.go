package execute

import (
	"errors"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// PlacedError is an error of one element of a body that is a list.
type PlacedError struct {
	Place string // "[1]"

	err error
}

func (e *PlacedError) Error() string { return e.Place + ": " + e.err.Error() }

// Unwrap returns the error without its place.
func (e *PlacedError) Unwrap() error { return e.err }

// placed returns the error of an element with its place in the body, where it has one.
func placed(err error, place string) error {
	if err == nil || place == "" {
		return err
	}
	if broken, ok := errors.AsType[InvalidError](err); ok {
		var all model.Report
		addBelow(&all, broken.Found, place)
		return invalid(&all, nil)
	}
	if told, only := validation.Violations(err); only && len(told) > 0 {
		var own, all model.Report
		own.AddOwn(told)
		addBelow(&all, &own, place)
		return invalid(&all, nil)
	}
	if forbidden, ok := errors.AsType[*ForbiddenError](err); ok {
		at := *forbidden
		at.Place = place
		return &at
	}
	return &PlacedError{place, err}
}

// addBelow adds what is wrong with an element to what is wrong with the whole body.
func addBelow(all, of *model.Report, place string) {
	for i := range of.Violations {
		v := of.Violations[i].Violation
		switch {
		case place == "":
		case v.Field == "":
			v.Field = place
		case strings.HasPrefix(v.Field, "["):
			v.Field = place + v.Field
		default:
			v.Field = place + "." + v.Field
		}
		all.Add(v)
	}
	all.More += of.More
}
