package execute

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// held is a key of another resource's record, in a field of a record's member or of what is within that.
type held struct {
	top   string // the member of the record
	field *model.Field
	key   any
}

// site is where a key stands in a body.
type site struct {
	held

	above string // the path of the object that has the field, with a dot behind it; "" for the record
	index int    // in the list; -1 for the key that the field itself is
	unset bool   // it is zero, and not of a list
}

// path returns the place of the key: "owner", "lines[0].product", "tags[1]".
func (s *site) path() string { return s.above + s.leaf() }

// leaf returns the last step of the path, which messages begin with.
// Only the leaf, as messages of rules do: the whole path stands in the violation's field.
func (s *site) leaf() string {
	if s.index < 0 {
		return s.field.Name
	}
	return s.field.Name + "[" + strconv.Itoa(s.index) + "]"
}

// noteReferences keeps the references of a record before the body is applied to it: those
// that stay need not be looked for.
// A record may refer to one that has been hidden from the caller since: it could not be sent back
// otherwise. But what the caller cannot see he does not send back: he would try which one it is, and that
// of a hidden record alone passed. So what a body has in such a member is looked for.
func noteReferences(ctx context.Context, c *Call) error {
	if c.Record == nil || c.Created {
		return nil
	}
	record := reflect.ValueOf(c.Record).Elem()
	var sites []site
	for _, f := range c.Operation.Resource.Struct.Fields {
		from := len(sites)
		sites = sitesAt(sites, f, record, "")
		if len(sites) == from || c.Operation.HasInput {
			continue
		}
		isSecret, err := c.isSecret(ctx, f, c.Record)
		if err != nil {
			return err
		}
		if isSecret && slices.Contains(c.sent(), f.Name) {
			sites = sites[:from]
		}
	}
	for _, s := range sites {
		if c.held == nil {
			c.held = map[held]bool{}
		}
		c.held[s.held] = true
	}
	return nil
}

// isSecret reports whether the caller may not see a member of a record.
func (c *Call) isSecret(ctx context.Context, f *model.Field, record any) (bool, error) {
	members := c.Operation.Resource.Gate
	if !f.Readable() || !members.Hides() {
		return !f.Readable(), nil
	}
	hidden, err := members.Hidden(ctx, &c.caller, record)
	return err != nil || members.IsHidden(hidden, f.Name), err
}

// sitesIn lists the references that clients set in a struct and in those within it.
// Structs know whether anything in them refers ([model.Struct.Refers]), so that most records are
// not walked through.
func sitesIn(sites []site, s *model.Struct, v reflect.Value, above string) []site {
	if !s.Refers {
		return sites
	}
	for _, f := range s.Fields {
		sites = sitesAt(sites, f, v, above)
	}
	return sites
}

// sitesAt lists the references that clients set in a field of a struct.
func sitesAt(sites []site, f *model.Field, v reflect.Value, above string) []site {
	switch {
	case f.ReadOnly:
		return sites
	case f.Reference != nil:
		return keysIn(sites, f, f.Value(v), above)
	}
	return within(sites, f.Type, f.Value(v), above+f.Name)
}

// sitesOf lists the references that clients set in a body: a struct, or a list of them.
func sitesOf(t *model.Type, v reflect.Value) []site {
	if t.Kind == model.Object {
		return sitesIn(nil, t.Struct, v, "")
	}
	return within(nil, t, v, "")
}

// keysIn lists the keys that a field holds: one, none for null, or those of its list.
// The key of a list's element has an index, which is what a client has to find the wrong one.
func keysIn(sites []site, f *model.Field, v reflect.Value, above string) []site {
	top := topOf(f, above)
	one := func(v reflect.Value) site { return site{held{top, f, f.Reference.Key.KeyIn(v)}, above, -1, v.IsZero()} }
	switch {
	case f.Reference.Many:
		for i := range v.Len() {
			sites = append(sites, site{held{top, f, f.Reference.Key.KeyIn(v.Index(i))}, above, i, false})
		}
	case !f.Type.Nullable:
		sites = append(sites, one(v))
	case !v.IsNil():
		sites = append(sites, one(v.Elem()))
	}
	return sites
}

// topOf returns the member of the record that a field below a path is, or is within.
func topOf(f *model.Field, above string) string {
	if end := strings.IndexAny(above, ".["); end >= 0 {
		return above[:end]
	}
	return f.Name
}

// within lists the references of the objects that a value is or holds.
func within(sites []site, t *model.Type, v reflect.Value, path string) []site {
	if t.Struct == nil && t.Elem == nil {
		return sites
	}
	if t.Nullable {
		if v.IsNil() {
			return sites
		}
		v = v.Elem()
	}
	switch {
	case t.Struct != nil:
		return sitesIn(sites, t.Struct, v, path+".")
	case t.Kind.IsList():
		for i := range v.Len() {
			sites = within(sites, t.Elem, v.Index(i), path+"["+strconv.Itoa(i)+"]")
		}
	default:
		for _, key := range v.MapKeys() {
			sites = within(sites, t.Elem, v.MapIndex(key), path+"["+key.String()+"]")
		}
	}
	return sites
}

// checkReferences tells of references that the body sets to what is not there, or what the
// caller may not see, of those that are missing, and of those that a list has twice.
// Keys are gathered first, so that there is one query for each resource that is referred to.
func (c *Call) checkReferences(ctx context.Context, of *model.Type, body any, found *model.Report) error {
	if s := model.StructIn(of); s == nil || !s.Refers {
		return nil
	}
	sites := c.unknown(sitesOf(of, reflect.ValueOf(body).Elem()), found)
	asked := map[*model.Struct][]any{}
	type one struct {
		of  *model.Struct
		key any
	}
	once := make(map[one]bool, len(sites))
	for i := range sites {
		target, key := sites[i].field.Reference.Target, sites[i].key
		if !once[one{target, key}] {
			once[one{target, key}], asked[target] = true, append(asked[target], key)
		}
	}
	there := make(map[*model.Struct]map[any]any, len(asked))
	for target, keys := range asked {
		var err error
		if there[target], err = c.find(ctx, c.Operation.API.ByStruct[target], keys); err != nil {
			return err
		}
	}
	for i := range sites {
		s := &sites[i]
		if there[s.field.Reference.Target][s.key] == nil {
			found.Add(validation.Violation{Field: s.path(), Code: codec.CodeReference, Message: s.leaf() + " must be " + meaning(s.field)})
		}
	}
	return nil
}

// meaning says what a reference must be.
func meaning(f *model.Field) string {
	if f.Type.Nullable {
		return f.Reference.Means() + " or null"
	}
	return f.Reference.Means()
}

// unknown leaves the references that must be looked for: those of which nothing is told yet,
// and which the record did not have before.
// What a violation is told of already is not looked for: two for one member would be noise.
func (c *Call) unknown(sites []site, found *model.Report) []site {
	told := map[string]bool{}
	for i := range found.Violations {
		told[found.Violations[i].Field] = true
	}
	listed := map[site]bool{}
	return slices.DeleteFunc(sites, func(s site) bool {
		path := s.path()
		one := site{s.held, s.above, 0, false}
		switch {
		case told[path], s.index >= 0 && told[s.above+s.field.Name]:
			return true
		case s.index >= 0 && listed[one]:
			found.Add(validation.Violation{Field: path, Code: "unique", Message: s.leaf() + " is in the list already"})
			return true
		case s.unset && c.in != c.Record && !s.field.Reference.Required:
			return true // the handler or Input may set it, as Prepare does for a Post
		case s.unset:
			// With wrong types in the body, the hook that may have set it has not run.
			if !c.decoded.Mistyped || c.Operation.Resource.Prepare == nil {
				found.Add(validation.Violation{Field: path, Code: "required", Message: missing(s.field)})
			}
			return true
		}
		listed[one] = true
		return c.held[s.held]
	})
}

// missing says that a body lacks a reference.
func missing(f *model.Field) string {
	return cmp.Or(f.Messages["required"], f.Messages[""], f.Name+" is required")
}
