package bodies_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Deed is the resource for tests of create-only fields.
type Deed struct {
	ID     int64  `json:"id" api:"id"`
	Serial string `json:"serial" api:"createonly" validate:"notblank"`
	Seal   string `json:"seal" api:"createonly,writeonly"`
	Text   string `json:"text"`
}

func TestOnlyPostSetsCreateOnlyFields(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, deeds store.Store[Deed]) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{}, resource.Of[Deed]{Store: deeds, Operations: append(operation.Standard(),
			operation.Put{Name: "replace", URITemplate: "/deeds/{id}/whole", ExtraProperties: map[string]any{"standard_put": true}})})
		const refused = `{"type":"validation_error","title":"There was a validation error","errors":{"serial":"serial cannot be changed after creation"}}`
		c.Send("POST /api/deeds", `{"text":"t"}`).HasStatus(400).Mentions("serial")
		c.Send("POST /api/deeds", `{"serial":"a","seal":"s","text":"t"}`).Is(201, `{"id":1,"serial":"a","text":"t"}`)
		c.Send("PATCH /api/deeds/1", `{"serial":"b"}`).Is(400, refused)
		c.Send("PATCH /api/deeds/1", `{"serial":null}`).HasStatus(400)
		c.Send("PATCH /api/deeds/1", `{"serial":"a","text":"u"}`).Is(200, `{"id":1,"serial":"a","text":"u"}`)
		c.Send("PUT /api/deeds/1", `{"serial":"b"}`).Is(400, refused)
		c.Send("PUT /api/deeds/1/whole", `{"serial":"b","text":"v"}`).Is(400, refused)
		c.Send("PUT /api/deeds/1/whole", `{"text":"v"}`).Is(200, `{"id":1,"serial":"a","text":"v"}`)
		c.Send("PUT /api/deeds/1/whole", `{"serial":"a"}`).Is(200, `{"id":1,"serial":"a","text":""}`)
		for _, guess := range []string{"s", "x"} { // a caller who cannot see it must not find it by trying
			c.Send("PATCH /api/deeds/1", `{"seal":"`+guess+`"}`).HasStatus(400).Mentions("seal cannot be changed after creation")
		}
		deed, err := deeds.Get(t.Context(), int64(1))
		if err != nil || deed.Seal != "s" {
			t.Errorf("the record is %+v, %v", deed, err)
		}
	})
}

func TestAnInputDoesNotChangeCreateOnlyFields(t *testing.T) {
	t.Parallel()
	type Entry struct {
		No string `json:"no"`
	}
	in := operation.InputOf(func(d *Deed) Entry { return Entry{d.Serial} },
		func(_ context.Context, in Entry, d *Deed) error { d.Serial = in.No; return nil })
	c := spec.NewClient(t, resource.Config{}, resource.Of[Deed]{Input: in})
	c.Send("POST /api/deeds", `{"no":"a"}`).Is(201, `{"id":1,"serial":"a","text":""}`)
	c.Send("PATCH /api/deeds/1", `{}`).HasStatus(200)
	c.Send("PATCH /api/deeds/1", `{"no":"b"}`).HasStatus(400).Mentions("serial cannot be changed")
}

func TestHiddenCreateOnlyFieldsCannotBeGuessed(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Deed]{Access: spec.OpenBut(map[string]access.Field{"serial": {Read: access.Authenticated}})})
	c.Send("POST /api/deeds", `{"serial":"a"}`).Is(201, `{"id":1,"text":""}`)
	right, wrong := c.Send("PATCH /api/deeds/1", `{"serial":"a"}`), c.Send("PATCH /api/deeds/1", `{"serial":"b"}`)
	if right.Status != 400 || right.Body != wrong.Body {
		t.Errorf("a right guess returns %d %s, a wrong one %s", right.Status, right.Body, wrong.Body)
	}
}

func TestMistakesInCreateOnly(t *testing.T) {
	t.Parallel()
	type both struct {
		ID int64  `json:"id"`
		A  string `json:"a" api:"readonly,createonly"`
	}
	if _, err := resource.New(resource.Config{}, resource.Of[both]{ShortName: "Both"}); err == nil || !strings.Contains(err.Error(), "cannot be both readonly and createonly") {
		t.Errorf("the error is %v", err)
	}
	type inner struct {
		A string `json:"a" api:"createonly"`
	}
	type outer struct {
		ID    int64 `json:"id"`
		Inner inner `json:"inner"`
	}
	if _, err := resource.New(resource.Config{}, resource.Of[outer]{ShortName: "Outer"}); err == nil || !strings.Contains(err.Error(), "outer.Inner.A: the word createonly is only allowed on fields of the record itself") {
		t.Errorf("the error is %v", err)
	}
}
