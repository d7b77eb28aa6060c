package admin_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

// Person is found by the whole user name, and by the identifier.
type Person struct {
	ID       int64  `json:"id"`
	Username string `json:"username" validate:"notblank,max=40" api:"filter,sort,unique"`
}

// Supplier is found by a search.
type Supplier struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank,max=60" api:"search,sort"`
	City string `json:"city" validate:"max=60" api:"search"`
}

// Cupboard is found by its identifier alone.
type Cupboard struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank"`
}

// Shade is found by its identifier alone, too, but there are few of them.
type Shade struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank"`
}

// Cost is an exact decimal number.
type Cost struct{ text string }

// DecimalDigits makes it a store.Decimal.
func (Cost) DecimalDigits() (precision, scale int) { return 20, 2 }

// MarshalText returns the digits.
func (c Cost) MarshalText() ([]byte, error) {
	if c.text == "" {
		return []byte("0.00"), nil
	}
	return []byte(c.text), nil
}

// UnmarshalText keeps the digits.
func (c *Cost) UnmarshalText(text []byte) error {
	c.text = string(text)
	return nil
}

// Part has a field for each widget, and references to records that are found in different ways.
type Part struct {
	ID         int64           `json:"id"`
	Name       string          `json:"name" validate:"notblank,max=60" api:"title,filter=partial,sort" doc:"What it says on the box."`
	CoolFactor *int            `json:"coolFactor" validate:"omitempty,gte=0,lte=10"`
	Supplier   int64           `json:"supplier" api:"ref=Supplier,filter,ondelete=restrict"`
	Owner      *int64          `json:"owner" api:"ref=Person,filter,ondelete=null"`
	Cupboard   *int64          `json:"cupboard" api:"ref=Cupboard,ondelete=null"`
	Shades     []int64         `json:"shades" validate:"max=9" api:"ref=Shade,ondelete=null"`
	State      string          `json:"state" validate:"oneof=new worn broken" api:"filter"`
	Cost       Cost            `json:"cost"`
	Notes      string          `json:"notes"`
	Tint       string          `json:"tint" validate:"omitempty,hexcolor"`
	Photo      string          `json:"photo"`
	Script     string          `json:"script"`
	Extra      json.RawMessage `json:"extra"`
	Remark     string          `json:"remark"`
	Lines      []PartLine      `json:"lines" validate:"max=5"`
}

// PartLine is an element of a list.
type PartLine struct {
	Text     string `json:"text" validate:"notblank"`
	Quantity int64  `json:"quantity" validate:"gte=1"`
}

// Comment is below a part, which its body has as well.
type Comment struct {
	ID   int64  `json:"id"`
	Part int64  `json:"part" api:"ref=Part,ondelete=cascade"`
	Text string `json:"text" validate:"notblank"`
}

// Order refers to a part. It is shown in a tab by a filter.
type Order struct {
	ID    int64 `json:"id"`
	Part  int64 `json:"part" api:"ref=Part,filter,ondelete=cascade"`
	Count int64 `json:"count" validate:"gte=1"`
}

func named[T any](count int, of func(i int) T) []T {
	list := make([]T, count)
	for i := range list {
		list[i] = of(i + 1)
	}
	return list
}

const pixel = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI4IiBoZWlnaHQ9IjgiPjxyZWN0IHdpZHRoPSI4IiBoZWlnaHQ9IjgiIGZpbGw9IiNjMzMiLz48L3N2Zz4="

const markdown = "# Handle *with care*\n\n- one\n- two\n\n[good](https://example.com) [bad](javascript:alert(1)) <img src=x onerror=alert(1)> ![far](https://example.com/x.png)\n\n| a | b |\n|---|---|\n| 1 | **2** |\n"

func parts() []Part {
	owner := int64(17)
	return named(1674, func(i int) Part {
		return Part{
			Name: fmt.Sprintf("Part %d", i), Supplier: 1, Owner: &owner, Shades: []int64{1}, State: "new", Cost: Cost{"12.50"}, Notes: markdown,
			Tint: "#3366cc", Photo: pixel, Script: "let a = 1;\nlet b = 2;", Extra: json.RawMessage(`{"a": 1}`), Remark: "Two\nlines", Lines: []PartLine{},
		}
	})
}

func formsConfig() admin.Config {
	return admin.Config{Title: "The forms", Resources: []admin.Resource{{
		Name:   "Part",
		Groups: []admin.Group{{Title: "Basics", Fields: []string{"name", "state", "coolFactor", "cost"}, Columns: 2}, {Title: "People", Fields: []string{"supplier", "owner"}, Columns: 2}},
		Fields: map[string]admin.Field{
			"notes": {Widget: "markdown"}, "tint": {Widget: "color"}, "photo": {Widget: "image"}, "script": {Widget: "code"}, "extra": {Widget: "json"},
			"remark": {Widget: "text", Help: "Several lines."}, "state": {Values: map[string]string{"new": "Brand new"}},
		},
		Columns: []string{"name", "supplier", "state", "tint", "photo", "notes"},
	}}}
}

func forms() (*resource.API, error) {
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler), Errors: validation.Problem},
		resource.Of[Person]{Store: memory.New(named(50000, func(i int) Person { return Person{Username: fmt.Sprintf("person%05d", i)} })...)},
		resource.Of[Supplier]{Store: memory.New(named(5003, func(i int) Supplier { return Supplier{Name: fmt.Sprintf("Supplier %d", i), City: "Rome"} })...)},
		resource.Of[Cupboard]{Store: memory.New(named(300, func(i int) Cupboard { return Cupboard{Name: fmt.Sprintf("Cupboard %d", i)} })...)},
		resource.Of[Shade]{Store: memory.New(Shade{Name: "Amber"}, Shade{Name: "Brown"}, Shade{Name: "Coral"})},
		resource.Of[Part]{
			Store: memory.New(parts()...),
			Prepare: func(_ context.Context, _ *operation.Request, p *Part) error {
				if p.Name == "Twice" {
					return operation.Error{Status: http.StatusConflict, Detail: "There is such a part in that time."}
				}
				return nil
			},
		},
		resource.Of[Comment]{Path: "/parts/{part}/comments"},
		resource.Of[Order]{},
	)
	if err != nil {
		return nil, err
	}
	return api, admin.Mount(api, formsConfig())
}

// TestTheFormsAreServed serves an API with many records for .ci/admin-page, with TROVE_TEST_ADMIN=forms. It ends by itself.
func TestTheFormsAreServed(t *testing.T) {
	t.Parallel()
	if serves("forms") {
		api, err := forms()
		if err != nil {
			t.Fatal(err)
		}
		serveFor(t, "forms", api)
	}
}

// TestMountWarnsOfReferencesThatCannotBeSearched: people would have to know identifiers.
func TestMountWarnsOfReferencesThatCannotBeSearched(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	api, err := resource.New(resource.Config{Logger: logger}, resource.Of[Person]{}, resource.Of[Supplier]{}, resource.Of[Cupboard]{}, resource.Of[Shade]{}, resource.Of[Part]{})
	if err != nil {
		t.Fatal(err)
	}
	log.Reset()
	if err := admin.Mount(api, admin.Config{Resources: []admin.Resource{{Name: "Shade", Hidden: true}}}); err != nil {
		t.Fatal(err)
	}
	want := `level=WARN msg="add a filter or search to Cupboard so that people can find records" field=Part.cupboard`
	if got := strings.TrimSpace(log.String()); strings.Count(got, "\n") != 0 || !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant one line that ends in\n%s", got, want)
	}
}
