package jsonld

import (
	"github.com/trove-api/trove/format"
)

// A class of Hydra is what all operations say of a record. A password that is required when a user is created, and
// may be omitted when one is changed, is not required by the class: forms to change a user would ask for it. The
// body that creates the user then has a class of its own.

// expected returns the name of the class of an operation's body: the resource's, or its own where it requires more.
func (d *documentation) expected(r *format.Resource, op *format.Operation) string {
	if len(requiredBesides(r, op)) == 0 || d.vocabulary.resource(op.ID) != nil {
		return r.Name
	}
	return op.ID
}

// body appends the class of an operation's body, if it has one of its own.
func (d *documentation) body(r *format.Resource, op *format.Operation) {
	if op.Expects == nil || d.expected(r, op) == r.Name {
		return
	}
	d.text(`,{"@id":`, "#"+op.ID)
	d.text(`,"@type":"Class","subClassOf":`, "#"+r.Name)
	d.text(`,"title":`, op.ID)
	d.text(`,"description":`, "The body of "+op.ID+".")
	d.raw(`,"supportedProperty":[`)
	for i, m := range requiredBesides(r, op) {
		if i > 0 {
			d.raw(",")
		}
		d.text(`{"@type":"SupportedProperty","property":`, "#"+propertyOf(r.Name, m.Name))
		d.text(`,"title":`, m.Name)
		d.raw(`,"required":true,"readable":false,"writeable":true}`)
	}
	d.raw("]}")
}

// requiredBesides lists the members that a body must have, and that the class of its record does not require.
func requiredBesides(r *format.Resource, op *format.Operation) []format.TypeField {
	if op.Custom || op.Expects == nil || op.Expects.Name != r.Name {
		return nil
	}
	var list []format.TypeField
	for _, m := range op.Expects.Fields {
		for _, known := range r.Type.Fields {
			if m.Required && m.Name == known.Name && !known.Required {
				list = append(list, m)
			}
		}
	}
	return list
}
