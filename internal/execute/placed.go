package execute

import (
	"errors"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// PlacedError is the error of one element of a list in a body.
type PlacedError struct {
	Place string // "[1]"

	err error
}

func (e *PlacedError) Error() string { return e.Place + ": " + e.err.Error() }

// Unwrap returns the error without its place.
func (e *PlacedError) Unwrap() error { return e.err }

// placed adds the place of a list element to its error, unless the place is "".
func placed(err error, place string) error {
	if err == nil || place == "" {
		return err
	}
	if broken, ok := errors.AsType[InvalidError](err); ok {
		var all model.Report
		addBelow(&all, broken.Found, place)
		return invalid(&all, nil)
	}
	if reported, only := validation.Violations(err); only && len(reported) > 0 {
		var own, all model.Report
		own.AddOwn(reported)
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

// addBelow adds the violations of an element to those of the body.
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
