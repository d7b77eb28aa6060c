package parameters

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
)

// Column is a value in each row of an aggregation.
type Column struct {
	Place  string     // the object of the row that has it, such as "group" or "sum"; "" for the count
	Name   string     // the name in the row, or in that object
	Path   model.Path // the field; empty for the count
	Term   store.Term
	Hidden bool // rows are only sorted by it

	scalar *codec.Scalar
}

const (
	group = "group"
	count = "count"
)

// places are the objects of a row, in their order; "" is the count.
var places = [...]string{group, "", "sum", "avg", "min", "max"}

// AggregateColumns returns all columns that clients can request, in the order of rows. A field that can be grouped by several
// units occurs once.
func (s *Set) AggregateColumns() (list []Column) {
	for _, place := range places {
		switch p := s.byName[place]; {
		case s.columns == nil:
		case place == "":
			list = append(list, Column{Name: count, Term: store.Term{Function: count}})
		case p != nil:
			for i, name := range p.Allowed {
				if c := s.columns[place+"="+name]; i == 0 || list[len(list)-1].Name != c.Name {
					list = append(list, *c)
				}
			}
		}
	}
	return list
}

// addAggregates adds the parameters of an aggregation.
func (s *Set) addAggregates(record *model.Struct) error {
	s.columns = map[string]*Column{}
	sorts := &Parameter{Kind: Sort, Name: "sort", paths: map[string]string{}, read: readGroupSort}
	sorts.addKey(count, "")
	var isTimed bool
	for _, place := range places {
		p := &Parameter{Kind: Function, Name: place, paths: map[string]string{}, read: readColumns}
		isGroup := place == group
		if isGroup {
			p.Kind = Group
		}
		for _, path := range s.queryable(record) {
			leaf := path.Leaf()
			isOf := leaf.Aggregate && (place == "min" || place == "max" || leaf.Type.Adds())
			if isGroup {
				isOf = leaf.Group
			}
			if isOf && place != "" && !throughList(path) {
				s.addColumns(p, sorts, path)
				isTimed = isTimed || isGroup && leaf.Type.Kind == model.Time
			}
		}
		if p.Allowed != nil {
			s.add(p)
		}
	}
	s.add(sorts)
	if !isTimed {
		return nil
	}
	s.add(&Parameter{Kind: TimeZone, Name: "timezone", Default: "UTC", read: readZone})
	if _, err := time.LoadLocation(zones[0]); err != nil {
		return fmt.Errorf("the parameter timezone needs the data of time zones: %w; import time/tzdata", err)
	}
	return nil
}

// addKey adds a key to sort by, in both directions. The count takes precedence over a group of that name.
func (p *Parameter) addKey(key, path string) {
	if _, known := p.paths[key]; known {
		return
	}
	p.Allowed, p.paths[key], p.paths["-"+key] = append(p.Allowed, key, "-"+key), path, path
}

// addColumns adds the columns of a field that a parameter can request.
func (s *Set) addColumns(p, sorts *Parameter, path model.Path) {
	leaf := path.Leaf()
	c := Column{Place: p.Name, Name: path.Name, Path: path, Term: store.Term{Value: orderBy(path, false)}, scalar: codec.CompileScalar(leaf.Type, nil)}
	units := []string{""}
	if p.Kind == Group {
		sorts.addKey(path.Name, path.Name)
		units = append(units, leaf.Type.Units()...)
	} else {
		c.Term.Function = p.Name
		sorts.addKey(c.Flat(), path.Name)
	}
	for _, unit := range units {
		one, name := c, path.Name
		if one.Term.Unit = unit; unit != "" {
			name += ":" + unit
		}
		p.Allowed, p.paths[name] = append(p.Allowed, name), path.Name
		s.columns[p.Name+"="+name] = &one
	}
}

// readColumns reads a list of groups, or of fields to aggregate.
func readColumns(r *reading, p *Parameter, text string) error {
	for name := range strings.SplitSeq(text, ",") {
		c := r.set.columns[p.Name+"="+name]
		i := slices.IndexFunc(r.columns, func(other Column) bool { return other.Place == c.Place && other.Name == c.Name })
		switch {
		case i < 0:
			r.columns = append(r.columns, *c)
		case r.columns[i].Term.Unit != c.Term.Unit:
			return errors.New("must have each field only once")
		}
	}
	return nil
}

// readGroupSort reads an order of groups.
func readGroupSort(r *reading, _ *Parameter, text string) error {
	r.groupSort = strings.Split(text, ",")
	return nil
}

// zoneName matches the names of time zones that mean the same in all stores: not those such as CET, which PostgreSQL reads as
// an abbreviation without summer time.
var zoneName = regexp.MustCompile(`^(UTC|[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){1,2})$`)

// zones are time zones to suggest instead of one that does not exist.
var zones = [...]string{
	"Europe/Berlin", "Europe/London", "Europe/Paris", "America/New_York", "America/Chicago", "America/Los_Angeles", "America/Sao_Paulo",
	"Asia/Tokyo", "Asia/Shanghai", "Asia/Kolkata", "Asia/Singapore", "Australia/Sydney", "Africa/Lagos", "Pacific/Auckland", "UTC",
}

// readZone reads the name of a time zone.
func readZone(r *reading, _ *Parameter, text string) (err error) {
	if zoneName.MatchString(text) {
		r.zone, err = time.LoadLocation(text)
	}
	if r.zone == nil || err != nil {
		return errors.New("must be the name of a time zone such as " + zones[0] + naming.DidYouMean(text, zones[:]))
	}
	return nil
}

// finishAggregate completes the query of the store: the columns of rows, in their order, and those that they are only sorted
// by.
func (r *reading) finishAggregate() {
	v := r.values
	for _, place := range places {
		if place == "" {
			v.Columns = append(v.Columns, Column{Name: count, Term: store.Term{Function: count}})
		}
		for _, c := range r.columns {
			if c.Place == place {
				v.Columns = append(v.Columns, c)
			}
		}
	}
	for _, text := range r.groupSort {
		key, isDescending := strings.CutPrefix(text, "-")
		i := r.columnOf(key)
		switch {
		case i < 0: // a field that is not in group
		case slices.Contains(v.Sort, i+1) || slices.Contains(v.Sort, -i-1): // a key decides once
		case isDescending:
			v.Sort = append(v.Sort, -i-1)
		default:
			v.Sort = append(v.Sort, i+1)
		}
	}
	zone := r.zone
	if zone == nil {
		zone = time.UTC
	}
	v.Query.Order, v.Query.Fields = make([]store.Order, len(v.Columns)), nil
	for i := range v.Columns {
		if t := &v.Columns[i].Term; t.Unit != "" {
			t.Zone = zone
		}
		v.Query.Order[i] = v.Columns[i].Term.Value
	}
}

// columnOf returns the index of the column of a key to sort by. It adds a column that is only sorted by; -1 for a field that
// is not in group.
func (r *reading) columnOf(key string) int {
	v := r.values
	place, name, isDotted := strings.Cut(key, ".")
	i := slices.IndexFunc(v.Columns, func(c Column) bool {
		return c.Name == key && (c.Place == "") == (key == count) && (c.Place == "" || c.Place == group) || isDotted && c.Place == place && c.Name == name
	})
	if hidden := r.set.columns[place+"="+name]; i < 0 && isDotted && hidden != nil {
		c := *hidden
		c.Hidden, i = true, len(v.Columns)
		v.Columns = append(v.Columns, c)
	}
	return i
}

// Flat returns the name of the column in a table: "group.status", "sum.total".
func (c *Column) Flat() string {
	if c.Place == "" {
		return c.Name
	}
	return c.Place + "." + c.Name
}

// averageDigits is how many more digits than its values the average of decimal numbers may have.
const averageDigits = 4

// Append appends the JSON of a value of the column.
func (c *Column) Append(b []byte, value any) ([]byte, error) {
	if value == nil {
		return append(b, "null"...), nil
	}
	if c.Place == "" {
		return fmt.Append(b, value), nil
	}
	var text string
	leaf := c.Path.Leaf()
	number, isNumber := value.(*big.Rat)
	switch digits, shown := leaf.Type.Digits, leaf.Shown(); {
	case c.Term.Unit != "":
		text = fmt.Sprint(value)
	case !isNumber && shown == nil:
		return c.scalar.Append(b, value)
	case !isNumber:
		id, err := shown.Text(reflect.ValueOf(value))
		return append(shown.Path.Append(append(b, '"'), id), '"'), err
	case digits != nil && c.Term.Function == "sum":
		text = number.FloatString(digits.Scale)
	case digits != nil:
		text = number.FloatString(digits.Scale + averageDigits)
		for range averageDigits {
			text = strings.TrimSuffix(text, "0")
		}
		text = strings.TrimSuffix(text, ".")
	case leaf.Type.Kind.IsInteger() && c.Term.Function == "sum":
		return append(b, number.RatString()...), nil
	default:
		rounded, _ := number.Float64()
		if math.IsInf(rounded, 0) { // a sum of floats
			return append(b, "null"...), nil
		}
		return append(b, jsontext.Float(rounded).String()...), nil
	}
	return jsontext.AppendQuote(b, text) //nolint:wrapcheck // it is ASCII
}
