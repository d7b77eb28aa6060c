package memory_test

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type (
	label string
	day   struct{ at time.Time } // its text leaves out the time of day
	kinds struct {
		ID    int64
		Text  *string    `json:"text" api:"unique"`
		Label label      `json:"label" api:"unique"`
		Int   *int32     `json:"int" api:"unique"`
		Float *float64   `json:"float" api:"unique"`
		Bool  *bool      `json:"bool" api:"unique"`
		Bytes *[]byte    `json:"bytes" api:"unique"`
		Time  *time.Time `json:"time" api:"unique"`
		Big   *big.Float `json:"big" api:"unique"`
		Day   *day       `json:"day" api:"unique"`
	}
)

func (d day) MarshalText() ([]byte, error) { return d.at.AppendFormat(nil, time.DateOnly), nil }
func (d *day) UnmarshalText(text []byte) (err error) {
	d.at, err = time.Parse(time.DateOnly, string(text))
	return err
}

func TestUniqueValuesOfEveryKind(t *testing.T) {
	t.Parallel()
	noon := time.Date(2024, 5, 1, 12, 0, 0, 1, time.UTC)
	east := noon.In(time.FixedZone("", 3600))
	for name, test := range map[string]struct {
		a, b  kinds
		taken string // the duplicate field; "" for none
	}{
		"equal strings":                {kinds{Text: new("a")}, kinds{Text: new("a")}, "text"},
		"strings of other case":        {kinds{Text: new("a")}, kinds{Text: new("A")}, ""},
		"strings that are empty":       {kinds{Text: new("")}, kinds{Text: new("")}, "text"},
		"named strings":                {kinds{Label: "same"}, kinds{Label: "same"}, "label"},
		"one text in two fields":       {kinds{Text: new("a")}, kinds{Label: "a"}, ""},
		"null":                         {kinds{}, kinds{}, ""},
		"null and zero":                {kinds{}, kinds{Int: new(int32(0))}, ""},
		"equal integers":               {kinds{Int: new(int32(0))}, kinds{Int: new(int32(0))}, "int"},
		"equal floats":                 {kinds{Float: new(0.5)}, kinds{Float: new(0.5)}, "float"},
		"equal bools":                  {kinds{Bool: new(false)}, kinds{Bool: new(false)}, "bool"},
		"other bools":                  {kinds{Bool: new(false)}, kinds{Bool: new(true)}, ""},
		"equal bytes":                  {kinds{Bytes: &[]byte{1}}, kinds{Bytes: &[]byte{1}}, "bytes"},
		"other bytes":                  {kinds{Bytes: &[]byte{1}}, kinds{Bytes: &[]byte{1, 0}}, ""},
		"one instant in two zones":     {kinds{Time: &noon}, kinds{Time: &east}, "time"},
		"instants a nanosecond apart":  {kinds{Time: &noon}, kinds{Time: new(noon.Add(1))}, "time"},
		"instants a microsecond apart": {kinds{Time: &noon}, kinds{Time: new(noon.Add(1000))}, ""},
		"no bytes and nil bytes":       {kinds{Bytes: &[]byte{}}, kinds{Bytes: new([]byte)}, ""},
		"nil bytes":                    {kinds{Bytes: new([]byte)}, kinds{Bytes: new([]byte)}, ""},
		"equal texts behind pointers":  {kinds{Big: big.NewFloat(1.5)}, kinds{Big: big.NewFloat(1.5)}, "big"},
		"other texts":                  {kinds{Big: big.NewFloat(1.5)}, kinds{Big: big.NewFloat(2)}, ""},
		"texts that leave out what sets them apart": {kinds{Day: &day{noon}}, kinds{Day: &day{noon.Add(time.Hour)}}, "day"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.a.Label == "" {
				test.a.Label = "first"
			}
			err := memory.New(test.a, test.b).Check(t.Context())
			var want error
			if test.taken != "" {
				want = store.UniqueError{Field: test.taken}
			}
			if !errors.Is(err, want) {
				t.Errorf("Check: %v, want %v", err, want)
			}
		})
	}
}

// sealed is a type whose text cannot always be marshaled.
type sealed struct{ open bool }

func (s sealed) MarshalText() ([]byte, error) {
	if !s.open {
		return nil, errors.New("sealed")
	}
	return []byte("open"), nil
}

func (s *sealed) UnmarshalText([]byte) error { return nil }

func TestAUniqueTextThatCannotBeWrittenIsAnError(t *testing.T) {
	t.Parallel()
	type letter struct {
		ID   int64
		Seal sealed `json:"seal" api:"unique"`
	}
	s := memory.New[letter]()
	err := s.Transact(t.Context(), insert(&letter{}))
	if err == nil || err.Error() != "store/memory: seal: sealed" {
		t.Errorf("Insert: %v", err)
	}
	if err := s.Transact(t.Context(), insert(&letter{Seal: sealed{true}})); err != nil {
		t.Errorf("Insert: %v", err)
	}
}
