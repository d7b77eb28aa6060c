package sqlite

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/store"
)

// The functions of each connection.
const (
	unitFunction = "trove_unit" // filter.UnitKey
	sumFunction  = "trove_sum"  // adds decimal numbers that are stored as text
)

// connector opens connections that have the functions, unlike those of the driver that all programs share.
type connector struct {
	name   string
	driver *sqlite.Driver
}

func (c connector) Connect(context.Context) (sqldriver.Conn, error) { return c.driver.Open(c.name) } //nolint:wrapcheck // see Fault

// Driver returns the driver.
func (c connector) Driver() sqldriver.Driver { return c.driver }

// connect returns connections to the database at a path.
func connect(path string, writes bool) (*sql.DB, error) {
	d := new(sqlite.Driver)
	var zones sync.Map // *time.Location by name, of which there are few hundred
	unitOf := func(_ *sqlite.FunctionContext, args []sqldriver.Value) (sqldriver.Value, error) {
		text, isText := args[0].(string)
		unit, _ := args[1].(string)
		if !isText { // null
			return nil, nil //nolint:nilnil // null is a value
		}
		zone, ok := zones.Load(args[2])
		if !ok {
			loaded, err := time.LoadLocation(fmt.Sprint(args[2]))
			if err != nil {
				return nil, err
			}
			zone, _ = zones.LoadOrStore(args[2], loaded)
		}
		if len(text) == len(time.DateOnly) { // a date, whose zone is UTC
			text += "T00:00:00Z"
		}
		at, err := time.Parse(time.RFC3339, text)
		return filter.UnitKey(at.In(zone.(*time.Location)), unit), err
	}
	sum := func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) { return new(decimalSum), nil }
	err := d.RegisterFunction(unitFunction, &sqlite.FunctionImpl{NArgs: 3, Deterministic: true, Scalar: unitOf})
	if err == nil {
		err = d.RegisterFunction(sumFunction, &sqlite.FunctionImpl{NArgs: 2, Deterministic: true, MakeAggregate: sum})
	}
	return sql.OpenDB(connector{dsn(path, writes), d}), err
}

// decimalSum adds decimal numbers: most of them as integers, in units of the last digit.
type decimalSum struct {
	small int64
	large big.Rat // what does not fit in small
	n     int
	scale int64
}

// Step adds a number; null is left out.
func (s *decimalSum) Step(_ *sqlite.FunctionContext, args []sqldriver.Value) error {
	text, isText := args[0].(string)
	s.scale, _ = args[1].(int64)
	if !isText {
		return nil
	}
	s.n++
	positive, isNegative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(positive, ".")
	if zeros := int(s.scale) - len(fraction); zeros >= 0 {
		n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", zeros), 10, 64)
		if isNegative {
			n = -n
		}
		if sum := s.small + n; err == nil && (sum > s.small) == (n > 0) {
			s.small = sum
			return nil
		}
	}
	number, ok := new(big.Rat).SetString(text)
	if !ok {
		return fmt.Errorf("%s: a value is not a decimal number", sumFunction)
	}
	s.large.Add(&s.large, number)
	return nil
}

// WindowValue returns the key and the text of the sum, null without values.
func (s *decimalSum) WindowValue(*sqlite.FunctionContext) (sqldriver.Value, error) {
	if s.n == 0 {
		return nil, nil //nolint:nilnil // null is a value
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(s.scale), nil)
	sum := new(big.Rat).SetFrac(big.NewInt(s.small), unit)
	text := sum.Add(sum, &s.large).FloatString(int(s.scale))
	return store.NumberKey(text) + " " + text, nil
}

// WindowInverse is for windows, which Trove does not use the function in.
func (s *decimalSum) WindowInverse(*sqlite.FunctionContext, []sqldriver.Value) error {
	return fmt.Errorf("%s cannot be used in a window", sumFunction)
}

// Final does nothing.
func (*decimalSum) Final(*sqlite.FunctionContext) {}
