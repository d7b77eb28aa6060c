package serve

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// referencedKey is a reference of a record: the key of another record in one of its fields, at any depth.
type referencedKey struct {
	top   string // the field of the record
	field *model.Field
	key   any
}

// site is the place of a key in a body.
type site struct {
	referencedKey

	above string // the path of the object with the field, followed by a dot; "" for the record
	index int    // in the list; -1 for a field that is not a list
	unset bool   // the key is zero, and not in a list
}

// path returns the place of the key: "owner", "lines[0].product", "tags[1]".
func (s *site) path() string {
	if s.index < 0 {
		return s.above + s.field.Name
	}
	return s.above + s.field.Name + "[" + strconv.Itoa(s.index) + "]"
}

// noteReferences records the references of a record before the body is applied. Unchanged references are not checked
// again, so that clients can send back a reference to a record that has since been hidden from them. References in fields
// that the caller cannot see are checked: otherwise only the current value would be accepted, and callers could find it by
// trying.
func noteReferences(ctx context.Context, c *call) error {
	if c.record == nil || c.created {
		return nil
	}
	record := reflect.ValueOf(c.record).Elem()
	c.held = map[referencedKey]bool{}
	for _, f := range c.op.Resource.Struct.Fields {
		sites := sitesAt(nil, f, record, "")
		if len(sites) == 0 {
			continue
		}
		if c.op.Input == nil {
			hides, err := isHidden(ctx, &c.caller, c.op.Resource, f, c.record)
			if err != nil {
				return err
			}
			if (hides || !f.Readable()) && slices.Contains(c.sent(), f.Name) {
				continue
			}
		}
		for i := range sites {
			c.held[sites[i].referencedKey] = true
		}
	}
	return nil
}

// sitesIn adds the references in a value at a path that clients can set: in a struct, a list or a map. It skips structs
// without references ([model.Struct.Refers]).
func sitesIn(sites []site, t *model.Type, v reflect.Value, path string) []site {
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
		if !t.Struct.Refers {
			return sites
		}
		if path != "" {
			path += "."
		}
		for _, f := range t.Struct.Fields {
			sites = sitesAt(sites, f, v, path)
		}
	case t.Kind.IsList():
		for i := range v.Len() {
			sites = sitesIn(sites, t.Elem, v.Index(i), path+"["+strconv.Itoa(i)+"]")
		}
	default: // a map
		for _, key := range v.MapKeys() {
			sites = sitesIn(sites, t.Elem, v.MapIndex(key), path+"["+key.String()+"]")
		}
	}
	return sites
}

// sitesAt adds the references in a field of a struct that clients can set: one, none for null, or those of a list, with
// their indexes.
func sitesAt(sites []site, f *model.Field, of reflect.Value, above string) []site {
	v := f.Value(of)
	switch {
	case f.ReadOnly:
		return sites
	case f.Reference == nil:
		return sitesIn(sites, f.Type, v, above+f.Name)
	}
	at := site{referencedKey{f.Name, f, nil}, above, -1, false}
	if end := strings.IndexAny(above, ".["); end >= 0 {
		at.top = above[:end]
	}
	if f.Reference.Many {
		for i := range v.Len() {
			at.index, at.key = i, f.Reference.Key.KeyIn(v.Index(i))
			sites = append(sites, at)
		}
		return sites
	}
	if f.Type.Nullable {
		if v.IsNil() {
			return sites
		}
		v = v.Elem()
	}
	at.key, at.unset = f.Reference.Key.KeyIn(v), v.IsZero()
	return append(sites, at)
}

// checkReferences reports references of the body to records that do not exist or that the caller may not see, missing
// references, and duplicates in lists.
func (c *call) checkReferences(ctx context.Context, of *model.Type, body any, found *model.Report) error {
	sites := c.unknown(sitesIn(nil, of, reflect.ValueOf(body).Elem(), ""), found)
	if c.op.keyed == nil || !found.IsEmpty() { // the response lists all that is wrong
		return c.reportMissing(ctx, sites, found)
	}
	var others []site
	for i := range sites {
		if c.isKept(&sites[i]) {
			c.unchecked = append(c.unchecked, sites[i])
		} else {
			others = append(others, sites[i])
		}
	}
	if err := c.reportMissing(ctx, others, found); err != nil || found.IsEmpty() {
		return err
	}
	*found, c.unchecked = model.Report{}, nil // look up all, to report them in the order of the fields
	return c.reportMissing(ctx, sites, found)
}

// isKept reports whether the database itself rejects a reference to a missing record, and the caller may see all others.
func (c *call) isKept(s *site) bool {
	return s.above == "" && s.index < 0 && slices.Contains(c.op.keyed, s.field) &&
		c.op.API.ByStruct[s.field.Reference.Target].Read.Decide(&c.caller) == authz.Allowed
}

// keptByDatabase returns the references that the database checks in the write.
func (o *Operation) keptByDatabase() (fields []*model.Field) {
	keeper, ok := o.Resource.Store.(compiled.Keeper)
	if !ok || o.Hooked || o.Input != nil {
		return nil // functions run after the check
	}
	for _, f := range o.Resource.Struct.Fields {
		if f.Reference == nil || f.Reference.Many || f.Reference.Target == o.Resource.Struct { // a new record could refer to itself
			continue
		}
		if keeper.Keeps(f.Name, o.API.ByStruct[f.Reference.Target].Store) {
			fields = append(fields, f)
		}
	}
	return fields
}

// explainUnchecked returns the error of references that the write was to check and that are to missing records: it comes before
// all errors of later steps. Otherwise it returns err.
func (c *call) explainUnchecked(ctx context.Context, err error) error {
	if errors.Is(err, store.ErrUnavailable) || ctx.Err() != nil {
		return err
	}
	var found model.Report
	if failed := c.reportMissing(ctx, c.unchecked, &found); failed != nil {
		return err
	}
	return cmp.Or(invalid(&found, nil), err)
}

// reportMissing reports references to records that do not exist or that the caller may not see.
func (c *call) reportMissing(ctx context.Context, sites []site, found *model.Report) error {
	records := make(map[target]any, len(sites))
	for i := range sites {
		if to := sites[i].target(); c.targets[to] != nil {
			records[to] = c.targets[to]
		}
	}
	if err := c.lookUp(ctx, sites, records); err != nil {
		return err
	}
	for i := range sites {
		s := &sites[i]
		if records[s.target()] == nil {
			path := s.path()
			found.Add(validation.Violation{Field: path, Code: codec.CodeReference, Message: path[len(s.above):] + " must be " + meaning(s.field)})
		}
	}
	return nil
}

// target is the record that a reference is to.
type target struct {
	of  *model.Struct
	key any
}

func (s *site) target() target { return target{s.field.Reference.Target, s.key} }

// lookUp adds the records that references are to, unless they are known, with one query for each resource. It adds nil for
// a record that does not exist or that the caller may not see.
func (c *call) lookUp(ctx context.Context, sites []site, known map[target]any) error {
	keys := map[*model.Struct][]any{}
	for i := range sites {
		to := sites[i].target()
		if _, is := known[to]; !is {
			known[to], keys[to.of] = nil, append(keys[to.of], to.key)
		}
	}
	for of, list := range keys {
		records, err := findVisible(ctx, &c.caller, c.op.API.ByStruct[of], list, nil)
		if err != nil {
			return err
		}
		for i, key := range list {
			known[target{of, key}] = records[i]
		}
	}
	return nil
}

// findTargets looks up the records that elements of the body reference.
func (c *call) findTargets(ctx context.Context) error {
	var sites []site
	found := map[target]any{}
	for _, e := range c.elements {
		if !e.found || !e.op.Resource.Struct.Refers {
			continue
		}
		e.targets = found
		own := sitesIn(nil, e.op.Resource.Source.Type, reflect.ValueOf(e.record).Elem(), "")
		sites = append(sites, slices.DeleteFunc(own, func(s site) bool { return s.unset || e.held[s.referencedKey] })...)
	}
	return c.lookUp(ctx, sites, found)
}

// meaning describes the valid values of a reference, for messages.
func meaning(f *model.Field) string {
	if f.Type.Nullable {
		return f.Reference.Means() + " or null"
	}
	return f.Reference.Means()
}

// unknown returns the references to look up: those that have no violation and that the record did not have before. As for
// rules, messages begin with the last part of the path; the field of the violation has the whole path.
func (c *call) unknown(sites []site, found *model.Report) []site {
	reported := make(map[string]bool, len(found.Violations))
	for i := range found.Violations {
		reported[found.Violations[i].Field] = true
	}
	listed := map[site]bool{}
	return slices.DeleteFunc(sites, func(s site) bool {
		path := s.path()
		one := site{s.referencedKey, s.above, 0, false}
		switch {
		case reported[path], s.index >= 0 && reported[s.above+s.field.Name]:
			return true
		case s.index >= 0 && listed[one]:
			found.Add(validation.Violation{Field: path, Code: "unique", Message: path[len(s.above):] + " is a duplicate"})
			return true
		case s.unset && c.in != c.record && !s.field.Reference.Required:
			return true // the handler or Input may set it, as Prepare does for a Post
		case s.unset:
			// With wrong types in the body, the hook that may have set it has not run.
			if !c.decoded.Mistyped || c.op.Resource.Prepare == nil {
				message := cmp.Or(s.field.Messages["required"], s.field.Messages[""], s.field.Name+" is required")
				found.Add(validation.Violation{Field: path, Code: "required", Message: message})
			}
			return true
		case s.index >= 0:
			listed[one] = true
		}
		return c.held[s.referencedKey]
	})
}

// readPath reads the identifiers of the records that the path names. An invalid one has the same error as a missing record.
func (c *call) readPath() error {
	if c.op.Item {
		var ok bool
		if c.id, ok = c.op.identifier(c.path); !ok {
			return store.ErrNotFound
		}
	}
	c.pathIDs = c.pathIDs[:0]
	for i := range c.op.pathRecords {
		p := &c.op.pathRecords[i]
		id, ok := p.Resource.ID.Parse(variable(c.op.Template, c.path, p.Variable))
		if !ok {
			return noRecord(p.Resource)
		}
		c.pathIDs = append(c.pathIDs, id)
	}
	return nil
}

// noRecord returns the error of a record in the path that is missing, hidden, or not below its own parent. They share one
// error, because a difference would reveal what is hidden.
func noRecord(of *compiled.Resource) *problem.Problem {
	return problemOfKind(problem.NotFound, naming.Phrase(of.ShortName))
}

// readParents loads the parents. It loads each, even if the record's own key shows that it is below the parent,
// because a hidden parent hides what is below it.
func readParents(ctx context.Context, c *call) error {
	records := make([]any, len(c.op.Parents))
	for i := range c.op.Parents {
		p := &c.op.Parents[i]
		found, err := findVisible(ctx, &c.caller, p.Resource, []any{c.pathIDs[i]}, nil)
		if err != nil {
			return err
		}
		if records[i] = found[0]; records[i] == nil {
			return noRecord(p.Resource)
		}
	}
	for i := range c.op.Parents {
		p := &c.op.Parents[i]
		if p.IsDirect() {
			continue
		}
		above := &c.op.Parents[p.Below]
		if !hasKey(p.Field, records[p.Below], c.pathIDs[i]) {
			return noRecord(above.Resource)
		}
		if hidden, err := isHidden(ctx, &c.caller, above.Resource, p.Field, records[p.Below]); hidden {
			return cmp.Or(err, error(noRecord(above.Resource)))
		}
	}
	return nil
}

// restrict limits the query to records below the parents.
func restrict(_ context.Context, c *call) error {
	values := *c.values // a copy, because other calls share them
	c.values = &values
	values.Query.Where = slices.Clip(values.Query.Where)
	for i := range c.op.Parents {
		if p := &c.op.Parents[i]; p.IsDirect() {
			values.Query.Where = append(values.Query.Where, store.Condition{
				Fields: []string{p.Field.Name}, Operator: store.Equal, Values: []any{c.pathIDs[i]},
			})
		}
	}
	return nil
}

// isBelow reports whether a record is below the parents that the path names, by fields that the caller may see. Otherwise
// callers could find out the value of a hidden field by trying paths.
func (o *Operation) isBelow(ctx context.Context, ids []any, caller *authz.Caller, record any) (bool, error) {
	for i := range o.Parents {
		p := &o.Parents[i]
		if !p.IsDirect() {
			continue
		}
		if !hasKey(p.Field, record, ids[i]) {
			return false, nil
		}
		if hidden, err := isHidden(ctx, caller, o.Resource, p.Field, record); hidden {
			return false, err
		}
	}
	return true, nil
}

// hasKey reports whether a record has a key in a reference field, which may be a list. It compares Go values, because
// keys are parsed into the field's own type.
func hasKey(f *model.Field, record, key any) bool {
	return slices.Contains(f.Keys(reflect.ValueOf(record).Elem()), key)
}

// setParents sets the record's references to the parents that the path names, and reports a body with other ones. It does
// nothing for a nested record whose parent has no identifier yet.
func setParents(_ context.Context, c *call) error {
	if c.pathIDs == nil {
		return nil
	}
	for i := range c.op.Parents {
		p := &c.op.Parents[i]
		if !p.IsDirect() {
			continue
		}
		if c.held == nil {
			c.held = map[referencedKey]bool{}
		}
		c.held[referencedKey{p.Field.Name, p.Field, c.pathIDs[i]}] = true
		v := p.Field.Value(reflect.ValueOf(c.record).Elem())
		cleared := v.IsZero() && c.op.Kind == operation.KindPatch && !p.Field.ReadOnly
		isReported := slices.ContainsFunc(c.decoded.Violations, func(v model.Violation) bool { return v.Field == p.Field.Name })
		if !isReported && (cleared || !v.IsZero() && !hasKey(p.Field, c.record, c.pathIDs[i])) {
			c.decoded.Add(validation.Violation{
				Field: p.Field.Name, Code: "parent", Message: p.Field.Name + " must be the one in the path",
			})
		}
		setKey(p.Field, v, c.pathIDs[i])
	}
	return nil
}

// setKey sets a reference. A pointer is replaced, because the stored record may share the old one.
func setKey(f *model.Field, v reflect.Value, key any) {
	if f.Type.Nullable {
		v.Set(reflect.New(f.Type.Base()))
		v = v.Elem()
	}
	f.Reference.Key.SetKey(v, key)
}
