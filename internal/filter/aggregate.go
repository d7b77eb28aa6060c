package filter

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"time"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Groups collects records in groups, and computes the values of each group, for stores in memory.
type Groups struct {
	asked  store.Aggregation
	terms  []term
	groups map[string][]cell
	key    []byte // of the group of the current record
}

// term is a term of an aggregation, with its value in the current record.
type term struct {
	store.Term

	key   sortKey // finds the value; none for a count
	found reflect.Value
	value Value
}

// cell is the value of a term in a group.
type cell struct {
	value Value // of the group, or the least or greatest one
	given any   // what a row has
	n     int64 // the number of records or values
	sum   big.Rat
}

// NewGroups prepares an aggregation of records. The error is for a field that does not exist, or that the function does not
// support.
func NewGroups(in Sortable, asked store.Aggregation) (*Groups, error) {
	g := &Groups{asked: asked, groups: map[string][]cell{}, terms: make([]term, len(asked.Terms))}
	hasGroups := false
	for i := range g.terms {
		t := &g.terms[i]
		if t.Term = asked.Terms[i]; t.Function == "count" {
			continue
		}
		var err error
		if t.key, err = compileKey(in, &t.Value); err == nil {
			err = CheckTerm(&t.Term, t.key.field.typ)
		}
		if err != nil {
			return nil, err
		}
		hasGroups = hasGroups || t.Function == ""
	}
	if !hasGroups { // one row even without records
		g.groups[""] = make([]cell, len(g.terms))
	}
	return g, nil
}

// CheckTerm returns an error if fields of a type do not support the function or the unit of a term.
func CheckTerm(t *store.Term, of *model.Type) error {
	fits := of.Kind != model.Key && (t.Unit == "" || slices.Contains(of.Units(), t.Unit) && (of.Kind != model.Time || t.Zone != nil))
	switch t.Function {
	case "":
	case "sum", "avg":
		fits = of.Adds()
	case "min", "max":
		fits = of.Adds() || of.Units() != nil
	default:
		fits = false
	}
	if !fits {
		return fmt.Errorf("an aggregation has the function %q and the unit %q, which %s does not support", t.Function, t.Unit, t.Value.Field)
	}
	return nil
}

// Add adds a record.
func (g *Groups) Add(ctx context.Context, record reflect.Value) error {
	g.key = g.key[:0]
	for i := range g.terms {
		t := &g.terms[i]
		if t.Function == "count" {
			continue
		}
		if err := t.read(ctx, record); err != nil {
			return err
		}
		if t.Function == "" && !t.value.IsNull() {
			g.key = binary.AppendUvarint(binary.AppendVarint(append(g.key, 1), t.value.number), uint64(len(t.value.text)))
			g.key = append(g.key, t.value.text...)
		} else if t.Function == "" {
			g.key = append(g.key, 0)
		}
	}
	cells := g.groups[string(g.key)]
	if cells == nil {
		cells = make([]cell, len(g.terms))
		g.groups[string(g.key)] = cells
	}
	for i := range cells {
		if err := cells[i].add(&g.terms[i]); err != nil {
			return err
		}
	}
	return nil
}

// read reads the value of a record.
func (t *term) read(ctx context.Context, record reflect.Value) error {
	t.value = Value{}
	found, ok, err := t.key.find(ctx, record)
	if ok && err == nil {
		t.found, ok = t.key.field.find(found)
	}
	if !ok || err != nil {
		return err
	}
	if t.value, err = t.key.field.read(t.found); t.Unit == "" || err != nil {
		return err
	}
	at, isTime := reflect.TypeAssert[time.Time](t.found)
	if isTime {
		at = at.In(t.Zone)
	} else if at, err = time.Parse(time.DateOnly, t.value.text); err != nil {
		return fmt.Errorf("%s: %w", t.Value.Field, err)
	}
	t.value = Text(UnitKey(at, t.Unit))
	return nil
}

// add adds the value of the current record. Of equal values with several texts, such as 1.0 and 1.00, the least text
// counts.
func (c *cell) add(t *term) error {
	switch {
	case t.Function == "count":
		c.n++
		return nil
	case t.value.IsNull():
		return nil
	case t.Function == "sum" || t.Function == "avg":
		number, err := numberOf(t.key.field.typ, t.found)
		if err == nil {
			c.n++
			c.sum.Add(&c.sum, number)
		}
		return err
	}
	sign := 1
	if t.Function == "max" {
		sign = -1
	}
	compared := sign * c.value.Compare(t.value)
	if compared == 0 && t.key.field.typ.HasOrderKey() {
		text, _ := model.MarshalText(reflect.ValueOf(c.given)) // it has been read
		other, _ := model.MarshalText(t.found)
		compared = sign * bytes.Compare(text, other)
	}
	if c.value.IsNull() || compared > 0 {
		c.value, c.given = t.value, t.key.field.Given(t.found)
	}
	return nil
}

// numberOf returns a value exactly.
func numberOf(of *model.Type, v reflect.Value) (*big.Rat, error) {
	number, ok := new(big.Rat), true
	switch of.Kind {
	case model.Int:
		number.SetInt64(v.Int())
	case model.Uint:
		number.SetUint64(v.Uint())
	case model.Float:
		ok = number.SetFloat64(v.Float()) != nil
	default:
		text, err := of.Decimal(v)
		if err != nil {
			return nil, err
		}
		_, ok = number.SetString(text)
	}
	if !ok {
		return nil, fmt.Errorf("%v is not a number", v)
	}
	return number, nil
}

// finish completes the value, when all records are added. Averages are compared as float64.
func (c *cell) finish(t *term) {
	switch {
	case t.Function == "count":
		c.value, c.given = ofInt(c.n), c.n
	case t.Unit != "" && !c.value.IsNull():
		c.given = UnitText(c.value.text, t.Unit, t.Zone)
	case c.n > 0:
		number := new(big.Rat).Set(&c.sum)
		if t.Function == "avg" {
			number.Quo(number, new(big.Rat).SetInt64(c.n))
			rounded, _ := number.Float64()
			c.sum.SetFloat64(rounded)
		}
		c.given = number
	}
}

// compare compares two values in the order of rows.
func (c *cell) compare(other *cell, t *term) int {
	if t.Function == "sum" || t.Function == "avg" {
		if c.n == 0 || other.n == 0 {
			return int(min(c.n, 1) - min(other.n, 1))
		}
		return c.sum.Cmp(&other.sum)
	}
	return c.value.Compare(other.value)
}

// Result returns the rows.
func (g *Groups) Result() store.Aggregated {
	all := make([][]cell, 0, len(g.groups))
	for _, cells := range g.groups {
		for i := range cells {
			cells[i].finish(&g.terms[i])
		}
		all = append(all, cells)
	}
	slices.SortFunc(all, g.compare)
	result := store.Aggregated{Total: len(all)}
	all = all[min(g.asked.Offset, len(all)):]
	if g.asked.Limit > 0 {
		all = all[:min(g.asked.Limit, len(all))]
	}
	for _, cells := range all {
		row := make([]any, len(cells))
		for i := range row {
			row[i] = cells[i].given
		}
		result.Rows = append(result.Rows, row)
	}
	return result
}

func (g *Groups) compare(a, b []cell) int {
	for _, n := range g.asked.Order {
		i := max(n, -n) - 1
		if compared := a[i].compare(&b[i], &g.terms[i]); compared != 0 {
			return compared * (n / max(n, -n))
		}
	}
	for i := range g.terms {
		if compared := a[i].value.Compare(b[i].value); compared != 0 && g.terms[i].Function == "" {
			return compared
		}
	}
	return 0
}
