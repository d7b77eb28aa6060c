package filter

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
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
	value Value // of the group, or the least or greatest one; in the end, what rows are sorted by
	given any   // the same as a row has it
	n     int64 // how many records or values there are
	sum   big.Int
	float float64 // the sum of floats
}

// NewGroups prepares an aggregation of records. The error is for a field that does not exist, or that the function does not
// support.
func NewGroups(in Sortable, asked store.Aggregation) (*Groups, error) {
	g := &Groups{asked: asked, groups: map[string][]cell{}, terms: make([]term, len(asked.Terms))}
	hasGroups := false
	for i := range g.terms {
		t := &g.terms[i]
		t.Term, hasGroups = asked.Terms[i], hasGroups || asked.Terms[i].Function == ""
		if t.Function == "count" {
			continue
		}
		var err error
		if t.key, err = compileKey(in, &t.Value); err == nil {
			err = CheckTerm(&t.Term, t.key.field.typ)
		}
		if err != nil {
			return nil, err
		}
	}
	if !hasGroups { // one row even without records
		g.groups[""] = make([]cell, len(g.terms))
	}
	return g, nil
}

// CheckTerm returns an error if fields of a type do not support the function or the unit of a term.
func CheckTerm(t *store.Term, of *model.Type) error {
	isOther := of.Kind == model.Key || t.Unit != "" && !slices.Contains(of.Units(), t.Unit) || t.Unit != "" && of.Kind == model.Time && t.Zone == nil
	switch t.Function {
	case "":
	case "sum", "avg":
		isOther = !of.Adds()
	case "min", "max":
		isOther = !of.Adds() && of.Units() == nil
	default:
		isOther = true
	}
	if isOther {
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
		if t.Function == "" {
			if g.key = append(g.key, 0); t.value.IsNull() {
				continue
			}
			g.key[len(g.key)-1] = 1
			g.key = binary.AppendUvarint(binary.AppendVarint(g.key, t.value.number), uint64(len(t.value.text)))
			g.key = append(g.key, t.value.text...)
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
	if t.Function == "count" {
		c.n++
	}
	if t.value.IsNull() {
		return nil
	}
	sign, typ := 1, t.key.field.typ
	switch t.Function {
	case "sum", "avg":
		c.n++
		switch {
		case typ.Kind == model.Float:
			c.float += t.found.Float()
		case typ.Kind == model.Int:
			c.sum.Add(&c.sum, big.NewInt(t.found.Int()))
		case typ.Kind == model.Uint:
			c.sum.Add(&c.sum, new(big.Int).SetUint64(t.found.Uint()))
		default:
			text, err := typ.Decimal(t.found)
			if err != nil {
				return fmt.Errorf("%s %w", t.Value.Field, err)
			}
			part, _ := new(big.Int).SetString(strings.Replace(text, ".", "", 1), 10)
			c.sum.Add(&c.sum, part)
		}
		return nil
	case "max":
		sign = -1
	}
	compared := sign * c.value.Compare(t.value)
	if compared == 0 && typ.HasOrderKey() && !c.value.IsNull() {
		text, _ := model.MarshalText(reflect.ValueOf(c.given)) // it has been read
		other, _ := model.MarshalText(t.found)
		compared = sign * bytes.Compare(text, other)
	}
	if c.value.IsNull() || compared > 0 {
		c.value, c.given = t.value, t.key.field.Given(t.found)
	}
	return nil
}

// finish completes the value, when all records are added.
func (c *cell) finish(t *term) {
	switch {
	case t.Function == "count":
		c.value, c.given = ofInt(c.n), c.n
	case t.Unit != "" && !c.value.IsNull():
		c.given = UnitText(c.value.text, t.Unit, t.Zone)
	case c.n == 0: // no number
	case t.key.field.typ.Kind == model.Float:
		if t.Function == "avg" {
			c.float /= float64(c.n)
		}
		if c.given = Finite(c.float); c.given != nil {
			c.value = ofFloat(c.float)
		}
	case t.Function == "sum":
		sum := Fraction(&c.sum, t.key.field.typ, 1)
		c.value, c.given = Text(store.NumberKey(c.sum.String())), sum
	default:
		average := Fraction(&c.sum, t.key.field.typ, c.n)
		rounded, _ := average.Float64()
		c.value, c.given = ofFloat(rounded), average
	}
}

// Fraction returns a sum divided by the number of its values. The sum of decimal numbers is in units of their last digit.
func Fraction(sum *big.Int, of *model.Type, n int64) *big.Rat {
	by := big.NewInt(n)
	if of.Digits != nil {
		by.Mul(by, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(of.Digits.Scale)), nil))
	}
	return new(big.Rat).SetFrac(sum, by)
}

// Finite returns a float, nil for one that JSON does not have.
func Finite(f float64) any {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil
	}
	return f
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
		compared := 0
		if n < 0 {
			compared = b[-n-1].value.Compare(a[-n-1].value)
		} else {
			compared = a[n-1].value.Compare(b[n-1].value)
		}
		if compared != 0 {
			return compared
		}
	}
	for i := range g.terms {
		if compared := a[i].value.Compare(b[i].value); compared != 0 && g.terms[i].Function == "" {
			return compared
		}
	}
	return 0
}
