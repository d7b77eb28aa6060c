package storetest

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// oracle is the reference implementation of queries. It is slow and reads fields by reflection, as no store does. It is
// not safe for concurrent use.
type oracle struct {
	records []any // pointers to structs
	id      []int // the indexes of the identifier fields
	byID    map[any]any
	through map[string]*oracle // of the records that a field references
	paths   map[string][]int   // field indexes by JSON name
}

func oracleOf[R any](records []*R) *oracle {
	b := &oracle{id: identifierOf(reflect.TypeFor[R]()), byID: map[any]any{}, through: map[string]*oracle{}, paths: map[string][]int{}}
	for _, record := range records {
		b.records = append(b.records, record)
		b.byID[idOf(b.id, record)] = record
	}
	return b
}

// identifierOf returns the indexes of the identifier fields.
func identifierOf(t reflect.Type) (fields []int) {
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("api") == "id" {
			fields = append(fields, i)
		}
	}
	return fields
}

// idOf returns the identifier of a record.
func idOf(fields []int, record any) any {
	v := reflect.ValueOf(record).Elem()
	if len(fields) == 1 {
		return v.Field(fields[0]).Interface()
	}
	var key store.Key
	for part, i := range fields {
		key[part] = v.Field(i).Interface()
	}
	return key
}

// idsOf returns the identifiers of records.
func idsOf[R any](records []*R) []any {
	all, fields := make([]any, len(records)), identifierOf(reflect.TypeFor[R]())
	for i, record := range records {
		all[i] = idOf(fields, record)
	}
	return all
}

// value returns the value of a field: nil for null, and a []any for a list.
func (b *oracle) value(record any, name string) any {
	v := reflect.ValueOf(record).Elem()
	if b.paths[name] == nil {
		b.paths[name] = pathOf(v.Type(), name)
	}
	for _, i := range b.paths[name] {
		if v = v.Field(i); v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return nil
			}
			v = v.Elem()
		}
	}
	if v.Kind() != reflect.Slice {
		return keyed(v.Interface())
	}
	list := make([]any, v.Len())
	for i := range list {
		list[i] = keyed(v.Index(i).Interface())
	}
	return list
}

// keyed returns a value as queries have it.
func keyed(value any) any {
	if key, ok := value.(seatKey); ok {
		return key.key()
	}
	return value
}

// pathOf returns the field indexes of a name with dots.
func pathOf(t reflect.Type, name string) (path []int) {
	for part := range strings.SplitSeq(name, ".") {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		for i := range t.NumField() {
			if of, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); of == part {
				path, t = append(path, i), t.Field(i).Type
				break
			}
		}
	}
	return path
}

// evaluate returns the records that match a query, their positions, and their total number.
func (b *oracle) evaluate(query store.Query) (found []any, positions [][]any, total int) {
	type entry struct {
		record, id any
		at         []any
	}
	var all []entry
	for _, record := range b.records {
		if b.allHold(query.Where, record) {
			all = append(all, entry{record, idOf(b.id, record), b.position(record, query.Order)})
		}
	}
	last := store.Order{} // gives the direction of the identifier
	if len(query.Order) > 0 {
		last = query.Order[len(query.Order)-1]
	}
	slices.SortFunc(all, func(x, y entry) int {
		return cmp.Or(comparePositions(query.Order, x.at, y.at), directed(last, compareValues(x.id, y.id)))
	})
	if query.Count {
		total = len(all)
	}
	if query.After != nil {
		all = slices.DeleteFunc(all, func(e entry) bool { return comparePositions(query.Order, e.at, query.After) <= 0 })
	}
	all = all[min(query.Offset, len(all)):]
	if query.Limit > 0 {
		all = all[:min(query.Limit, len(all))]
	}
	for _, e := range all {
		found, positions = append(found, e.record), append(positions, e.at)
	}
	return found, positions, total
}

// position returns the position of a record in a sort order.
func (b *oracle) position(record any, order []store.Order) []any {
	position := make([]any, len(order))
	for n, o := range order {
		if b.allHold(o.NullUnless, record) {
			position[n] = b.orderedBy(o, record)
		}
	}
	return position
}

// orderedBy returns the value that a record is sorted by.
func (b *oracle) orderedBy(o store.Order, record any) any {
	if o.Through == "" {
		return b.value(record, o.Field)
	}
	if targets := b.targets(record, o.Through); len(targets) > 0 {
		return b.through[o.Through].value(targets[0], o.Field)
	}
	return nil
}

// targets returns the records that a field of a record references.
func (b *oracle) targets(record any, field string) (all []any) {
	keys, isList := b.value(record, field).([]any)
	if !isList {
		keys = []any{b.value(record, field)}
	}
	for _, key := range keys {
		if target := b.through[field].byID[key]; target != nil {
			all = append(all, target)
		}
	}
	return all
}

func (b *oracle) allHold(conditions []store.Condition, record any) bool {
	return !slices.ContainsFunc(conditions, func(c store.Condition) bool { return !b.holds(c, record) })
}

func (b *oracle) holds(c store.Condition, record any) bool {
	holdsOf := func(in *oracle) func(any) bool {
		return func(of any) bool {
			return slices.ContainsFunc(c.Any, func(list []store.Condition) bool { return in.allHold(list, of) })
		}
	}
	switch {
	case c.Through != "":
		return slices.ContainsFunc(b.targets(record, c.Through), holdsOf(b.through[c.Through]))
	case c.Any != nil:
		return holdsOf(b)(record)
	}
	return slices.ContainsFunc(c.Fields, func(name string) bool { return holdsFor(c, b.value(record, name)) })
}

func holdsFor(c store.Condition, found any) bool {
	isOne := func(found any) bool {
		switch found.(type) {
		case time.Time, decimal: // equal values can have different representations
			return slices.ContainsFunc(c.Values, func(value any) bool { return compareValues(found, value) == 0 })
		}
		return slices.Contains(c.Values, found)
	}
	looks := func(holds func(text, part string) bool) bool {
		text, isText := found.(string)
		return isText && slices.ContainsFunc(c.Values, func(value any) bool { return holds(store.Fold(text), store.Fold(value.(string))) })
	}
	if list, isList := found.([]any); isList {
		return slices.ContainsFunc(list, isOne) == (c.Operator == store.Equal)
	}
	switch c.Operator {
	case store.Equal:
		return isOne(found)
	case store.NotEqual:
		return !isOne(found)
	case store.Exists:
		return (found != nil) == c.Values[0]
	case store.Less:
		return found != nil && compareValues(found, c.Values[0]) < 0
	case store.LessEqual:
		return found != nil && compareValues(found, c.Values[0]) <= 0
	case store.Greater:
		return found != nil && compareValues(found, c.Values[0]) > 0
	case store.GreaterEqual:
		return found != nil && compareValues(found, c.Values[0]) >= 0
	case store.EqualFold:
		return looks(func(text, part string) bool { return text == part })
	case store.Contains:
		return looks(strings.Contains)
	case store.HasPrefix:
		return looks(strings.HasPrefix)
	case store.HasSuffix:
		return looks(strings.HasSuffix)
	case store.HasWordPrefix:
		return looks(func(text, part string) bool { return strings.Contains(" "+text, " "+part) })
	}
	return false
}

// comparePositions compares two positions in a sort order.
func comparePositions(order []store.Order, a, b []any) int {
	for n, o := range order {
		if c := directed(o, compareValues(a[n], b[n])); c != 0 {
			return c
		}
	}
	return 0
}

func directed(o store.Order, c int) int {
	if o.Descending {
		return -c
	}
	return c
}

// compareValues compares two values of one field; null comes first.
func compareValues(a, b any) int {
	if a == nil || b == nil {
		return cmp.Compare(btoi(a != nil), btoi(b != nil))
	}
	switch a := a.(type) {
	case bool:
		return cmp.Compare(btoi(a), btoi(b.(bool)))
	case time.Time:
		return a.Compare(b.(time.Time))
	case decimal:
		return a.compare(b.(decimal))
	case uuid.UUID:
		other := b.(uuid.UUID)
		return bytes.Compare(a[:], other[:])
	case store.Key:
		other := b.(store.Key)
		return slices.CompareFunc(a[:], other[:], compareValues)
	}
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	switch {
	case x.CanInt():
		return cmp.Compare(x.Int(), y.Int())
	case x.CanUint():
		return cmp.Compare(x.Uint(), y.Uint())
	case x.CanFloat():
		return cmp.Compare(x.Float(), y.Float())
	}
	return strings.Compare(x.String(), y.String())
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// matches compares the store's result of a query with that of the reference implementation, and reports whether they
// are equal. The caller stops at the first difference.
func (c *trial[R]) matches(b *oracle, query store.Query) bool {
	c.Helper()
	if c.rejects(query) {
		return true
	}
	found, positions, total := b.evaluate(query)
	want := make([]*R, len(found))
	for i, record := range found {
		want[i] = record.(*R)
	}
	got, err := c.store.List(c.ctx, query)
	if err != nil {
		c.Errorf("List of %+v: %v", query, err)
		return false
	}
	if got, want := idsOf(got.Items), idsOf(want); !slices.Equal(got, want) {
		c.Errorf("List of %+v: identifiers (-want +got):\n%s", query, gocmp.Diff(want, got))
		return false
	}
	if got.Total != total && (query.Count || c.supportsAll) {
		c.Errorf("List of %+v: Total is %d, want %d", query, got.Total, total)
		return false
	}
	if slices.ContainsFunc(query.Order, func(o store.Order) bool { return o.Through != "" }) {
		same := func(a, b []any) bool { return len(a) == len(b) && comparePositions(query.Order, a, b) == 0 }
		if !slices.EqualFunc(positions, got.Positions, same) {
			c.Errorf("List of %+v: positions are\n%v, want\n%v", query, got.Positions, positions)
			return false
		}
	}
	c.same("List", want, got.Items)
	return true
}

// rejects reports whether the store does not support a query and its CheckQuery reports so.
func (c *trial[R]) rejects(query store.Query) bool {
	if hasGroups(query) && !supportsGroups(c.store) {
		return true
	}
	checker, ok := c.store.(store.QueryChecker)
	if !ok {
		return false
	}
	query.Where, query.Order = withoutValues(query.Where), slices.Clone(query.Order)
	for i := range query.Order {
		query.Order[i].NullUnless = withoutValues(query.Order[i].NullUnless)
	}
	err := checker.CheckQuery(query)
	if err != nil && c.supportsAll {
		c.Errorf("CheckQuery of %+v: %v", query, err)
	}
	return err != nil
}

// withoutValues returns conditions as resource.New passes them to CheckQuery.
func withoutValues(conditions []store.Condition) []store.Condition {
	conditions = slices.Clone(conditions)
	for i := range conditions {
		conditions[i].Values = nil
		conditions[i].Any = slices.Clone(conditions[i].Any)
		for n, list := range conditions[i].Any {
			conditions[i].Any[n] = withoutValues(list)
		}
	}
	return conditions
}

// supportsGroups reports whether a store supports groups.
func supportsGroups(s any) bool {
	grouper, ok := s.(store.Grouper)
	return ok && grouper.Groups()
}

// hasGroups reports whether a query requires a [store.Grouper].
func hasGroups(query store.Query) bool {
	return slices.ContainsFunc(query.Where, func(c store.Condition) bool { return c.Any != nil }) ||
		slices.ContainsFunc(query.Order, func(o store.Order) bool { return o.NullUnless != nil })
}
