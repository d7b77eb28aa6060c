package model_test

import (
	"database/sql/driver"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/model"
)

// cents is text in JSON, "12.50", and an integer in a database.
type cents struct{ n int64 } //nolint:recvcheck // database/sql wants it so

func (c cents) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%02d", c.n/100, c.n%100), nil
}

func (c *cents) UnmarshalText(text []byte) error {
	n, err := strconv.ParseInt(strings.ReplaceAll(string(text), ".", ""), 10, 64)
	c.n = n
	return err
}
func (c cents) Value() (driver.Value, error) { return c.n, nil }
func (c *cents) Scan(any) error              { return nil }

// grade is a number in JSON, and a word in a database.
type grade int //nolint:recvcheck // database/sql wants it so

func (g grade) Value() (driver.Value, error) {
	return map[grade]string{0: "zero", 1: "first"}[g], nil
}
func (g *grade) Scan(any) error { return nil }

// size is a number in both.
type size int //nolint:recvcheck // database/sql wants it so

func (s size) Value() (driver.Value, error) { return int64(s), nil }
func (s *size) Scan(any) error              { return nil }

func TestWhatStoresWouldOrderInTwoWaysIsNotSorted(t *testing.T) {
	t.Parallel()
	const two = ", because its Value method and its JSON sort differently"
	for want, of := range map[string]reflect.Type{
		`sort does not support the type model_test.cents` + two: reflect.TypeFor[struct {
			ID int
			C  cents `api:"sort"`
		}](),
		`sort does not support the type *model_test.grade` + two: reflect.TypeFor[struct {
			ID int
			G  *grade `api:"sort"`
		}](),
		`filter "range" does not support the type model_test.grade; allowed: a type without a Value method, or whose Value returns the same as its JSON`: reflect.TypeFor[struct {
			ID int
			G  grade `api:"filter=range"`
		}](),
		`the identifier cannot have the type model_test.cents` + two: reflect.TypeFor[struct{ ID cents }](),
		`the identifier cannot have the type model_test.grade` + two: reflect.TypeFor[struct{ ID grade }](),
		"": reflect.TypeFor[struct {
			ID uuid.UUID  `api:"sort"`
			U  *uuid.UUID `api:"filter,sort"`
			S  size       `api:"filter=range,sort"`
			C  cents      `api:"filter"`
			G  grade      `api:"filter=exact,unique"`
		}](),
	} {
		_, err := model.Compile(of)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

func TestAnIdentifierThatIsMadeHas32BitsOrMore(t *testing.T) {
	t.Parallel()
	for of, fits := range map[reflect.Type]bool{
		reflect.TypeFor[struct{ ID int8 }]():   false,
		reflect.TypeFor[struct{ ID int16 }]():  false,
		reflect.TypeFor[struct{ ID uint16 }](): false,
		reflect.TypeFor[struct{ ID int32 }]():  true,
		reflect.TypeFor[struct{ ID uint32 }](): true,
		reflect.TypeFor[struct{ ID uint64 }](): true,
	} {
		if _, err := model.Compile(of); (err == nil) != fits || err != nil && !strings.Contains(err.Error(), "the store would run out of identifiers") {
			t.Errorf("%v: %v", of, err)
		}
	}
}

func TestTextInAnIndexIsLimited(t *testing.T) {
	t.Parallel()
	type place struct {
		City string `api:"sort"`
	}
	s, err := model.Compile(reflect.TypeFor[struct {
		ID      string
		Unique  *string   `api:"unique"`
		Long    string    `api:"filter=range" validate:"notblank,max=5000"`
		Less    string    `api:"filter=start" validate:"lt=1000"`
		Short   string    `api:"filter=exact" validate:"omitempty,max=10"`
		Word    string    `api:"filter=iexact" validate:"oneof=a b"`
		Key     []byte    `api:"unique"`
		UUID    uuid.UUID `api:"unique"`
		Looked  string    `api:"filter=partial,search"`
		End     string    `api:"filter=word_start"`
		Place   place
		Nothing string
	}]())
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"ID": "max=255", "Unique": "max=400", "Long": "max=400", "Less": "lt=401", "Short": "max=10", "Word": "", "Key": "max=1600", "UUID": "",
		"Looked": "", "End": "", "Place.City": "max=400", "Nothing": "",
	} {
		found, _ := s.Path(path)
		got := ""
		for _, rule := range found.Leaf().Rules.All {
			if rule.Name == "max" || rule.Name == "lt" {
				got += rule.Name + "=" + rule.Param
			}
		}
		if got != want {
			t.Errorf("%s has the limit %q, want %q", path, got, want)
		}
	}
	_, err = model.Compile(reflect.TypeFor[struct {
		ID int
		S  string `api:"unique" validate:"len=500"`
	}]())
	if err == nil || !strings.Contains(err.Error(), ".S: rule len=500 exceeds the maximum of 400 for an indexed field") {
		t.Errorf("a length that no index holds: %v", err)
	}
}
