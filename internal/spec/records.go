package spec

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// Discount is what a handler is called with.
type Discount struct {
	Percent int `json:"percent" validate:"gte=1,lte=90"`
}

// Receipt is what a handler returns.
type Receipt struct {
	Saved int     `json:"saved"`
	Note  *string `json:"note"`
}

// Vessel is a record with fields of most kinds.
type Vessel struct {
	ID     int64   `json:"id"`
	Name   string  `json:"name" validate:"notblank"`
	Note   *string `json:"note"`
	Count  int     `json:"count"`
	Limit  int     `json:"limit" default:"9"`
	Secret string  `json:"secret" api:"writeonly"`
	Owner  string  `json:"owner" api:"readonly"`
	Hidden string  `json:"-"`
}

// Slinky is the body of a valid treasure.
const Slinky = `{"name":"Giant slinky","description":"Shiny","value":100,"coolFactor":8,"isPublished":true}`

// Isle is a record that others refer to.
type Isle struct {
	Name string `json:"name" api:"id"`
}

// Crew is a record that refers to an Isle.
type Crew struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Secret string `json:"secret" api:"writeonly"`
	Home   string `json:"home" api:"ref=Isle,expand"`
}

// Cave is a record that refers to crews.
type Cave struct {
	ID    int64    `json:"id"`
	Crew  int64    `json:"crew" api:"ref=Crew,expand"`
	Rival *int64   `json:"rival" api:"ref=Crew,expand"`
	Isles []string `json:"isles" validate:"max=5" api:"ref=Isle,expand"`
	Heir  *int64   `json:"heir" api:"ref=Crew"`
}

// Reads compares a body that is not JSON.
func (a Response) Reads(status int, body string) Response {
	a.T.Helper()
	if a.Status != status || a.Body != body {
		a.T.Errorf("the response is %d\n%s\nwant %d\n%s", a.Status, a.Body, status, body)
	}
	return a
}

// DiscountTreasure is a handler that lowers the value of a treasure.
func DiscountTreasure() operation.Operation {
	discount := func(_ context.Context, t *DragonTreasure, in Discount) (Receipt, error) {
		saved := t.Value * in.Percent / 100
		t.Value -= saved
		return Receipt{Saved: saved}, nil
	}
	return operation.Post{Name: "discount", URITemplate: "/treasures/{id}/discount", Handler: operation.Handle(discount)}
}

// Mug is a resource with idempotent creation.
type Mug struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank" api:"unique"`
	Fills int    `json:"fills"`
}

// Sipped is the body of a handler of mugs.
type Sipped struct {
	Size int `json:"size"`
}

// Mugs declares mugs, whose operations keep responses.
func Mugs() resource.Of[Mug] {
	drink := func(_ context.Context, m *Mug, in Sipped) (Mug, error) {
		m.Fills -= in.Size
		return *m, nil
	}
	return resource.Of[Mug]{
		Idempotency: time.Hour,
		Operations: append(operation.Standard(), operation.Post{
			Name: "drink", URITemplate: "/mugs/{id}/drink", Handler: operation.Handle(drink),
		}),
	}
}

// KeyField is the header field of idempotency keys.
const KeyField = "Idempotency-Key"

// Scroll is a record that counts its changes, and knows when the last one was.
type Scroll struct {
	ID        int64     `json:"id"`
	Title     string    `json:"title" validate:"notblank" api:"filter,sort"`
	Lines     []string  `json:"lines"`
	Version   int64     `json:"version" api:"version"`
	ChangedAt time.Time `json:"changedAt" api:"modified"`
}

// Goblet is a record that knows nothing of its changes.
type Goblet struct {
	ID    int64    `json:"id"`
	Title string   `json:"title" validate:"notblank" api:"filter,sort"`
	Lines []string `json:"lines"`
}

// Keeper is a record that its client names.
type Keeper struct {
	Name  string   `json:"name" api:"id"`
	Title string   `json:"title" validate:"notblank" api:"filter,sort"`
	Lines []string `json:"lines"`
}

// Pennant is a resource of tests about missing rules.
type Pennant struct {
	ID    int64  `json:"id"`
	Color string `json:"color"`
}

// WantLine checks that an error of New has one line, and that it has all the texts.
func WantLine(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Fatalf("New returns %v, want one line", err)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("New returns %q, want %q in it", err, text)
		}
	}
}

// Box is the struct of other types.
type Box struct {
	Width int `json:"width"`
}

// Amount is a decimal that is kept as it was written.
type Amount struct{ Text string }

// MarshalText returns the amount as text.
func (a Amount) MarshalText() ([]byte, error) {
	if a.Text == "" {
		return []byte("0"), nil
	}
	return []byte(a.Text), nil
}

// UnmarshalText reads an amount.
func (a *Amount) UnmarshalText(text []byte) error {
	if _, ok := new(big.Rat).SetString(string(text)); !ok {
		return validation.Fail("", "must be an amount like 12.50")
	}
	a.Text = string(text)
	return nil
}

// OrderKey returns the key that amounts sort by.
func (a Amount) OrderKey() string {
	text, _ := a.MarshalText()
	return store.NumberKey(string(text))
}

// Letter is a record of 3 kB.
type Letter struct {
	ID   int64  `json:"id"`
	Text string `json:"text"`
}

// Journal is a log that tests read.
type Journal struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (j *Journal) Write(p []byte) (int, error) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.text.Write(p)
}

func (j *Journal) String() string {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.text.String()
}

// Fuse is a text that cannot be sent.
type Fuse string

// MarshalText fails when the fuse says so.
func (f Fuse) MarshalText() ([]byte, error) {
	if f == "burning" {
		panic("secret: the fuse burns")
	}
	if f == "wet" {
		return nil, errors.New("secret: the fuse is wet")
	}
	return []byte(f), nil
}

// UnmarshalText fails when the fuse says so.
func (f *Fuse) UnmarshalText(text []byte) error {
	*f = Fuse(text)
	return nil
}
