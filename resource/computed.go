package resource

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
)

var memberName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// computed compiles the members that answers have beside those of the struct, and the view of
// a record with them.
func (c *compiler) computed(where string, list []operation.Computed, r *compiled.Resource) {
	r.Shown = r.Source.Answer
	var members []model.Member
	for i, declared := range list {
		at := fmt.Sprintf("%s: Computed %d", where, i+1)
		each, _ := declared.(compiled.Compute)
		if isNil(each) {
			c.fail(at, "is nil; make it by operation.Compute")
			continue
		}
		name := each.Name()
		record, value := each.Types()
		same := func(other *compiled.Computed) bool { return other.Field.Name == name }
		at = fmt.Sprintf("%s: Computed %q", where, name)
		switch source, ok := c.sourceOf(at, value); {
		case !ok:
		case !memberName.MatchString(name):
			c.fail(at, "has a name that no member can have; allowed: letters, digits, underscores and hyphens, beginning with a letter")
		case !each.Defined():
			c.fail(at, "is made of a nil function")
		case record != r.Struct.Go:
			c.fail(at, "is for %s; this resource's records are %s", record, r.Struct.Go)
		case r.Struct.Field(name) != nil:
			c.fail(at, "has the name of the field %s.%s; name it otherwise", r.Struct.Go, r.Struct.Field(name).GoPath)
		case slices.ContainsFunc(r.Computed, same):
			c.fail(at, "is declared twice")
		default:
			f := &model.Field{Name: name, GoPath: name, Type: source.Type, ReadOnly: true, Doc: each.Doc()}
			r.Computed = append(r.Computed, &compiled.Computed{Field: f, Value: source.Answer, Compute: each.Call})
			members = append(members, model.Member{Field: f, Readable: true, Required: true, Beside: true, Inner: source.Answer.View})
		}
	}
	if members != nil {
		r.Source.Answer.View.Title = r.ShortName + "Stored" // what handlers answer within types of their own
		r.Shown = r.Source.Value(r.Source.Answer.View.Beside(members))
		r.Source.Views.PassOver(members)
	}
}
