package jsonld

import (
	"github.com/trove-api/trove/format"
)

// A class of Hydra applies to all operations of a record. A password can be required when a user is created and
// optional afterwards. The class then does not require it, because forms that change a user would require it, and the
// body that creates the user has a class of its own.

// expected returns the class of an operation's body: that of the resource, or its own if it requires more.
func (d *documentation) expected(r *format.Resource, op *format.Operation) string {
	if len(alsoRequired(r, op)) == 0 || d.vocabulary.resource(op.ID) != nil {
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
	for i, m := range alsoRequired(r, op) {
		if i > 0 {
			d.raw(",")
		}
		d.text(`{"@type":"SupportedProperty","property":`, "#"+propertyOf(r.Name, m.Name))
		d.text(`,"title":`, m.Name)
		d.raw(`,"required":true,"readable":false,"writeable":true}`)
	}
	d.raw("]}")
}

// alsoRequired lists the fields that a body must have although the class of its record does not require them.
func alsoRequired(r *format.Resource, op *format.Operation) []format.TypeField {
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
