package access_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Desk has fields that only a chief reads.
type Desk struct {
	ID    int64  `json:"id"`
	Room  string `json:"room" api:"unique"`
	Badge string `json:"badge" api:"unique" default:"B1"`
	Pin   string `json:"pin" api:"unique"`
	Floor string `json:"floor"`
	Row   string `json:"row" default:"R1"`
}

func (Desk) Constraints() []store.Constraint { return []store.Constraint{store.Unique("floor", "row")} }

// Hold is a record that only a chief reads.
type Hold struct {
	ID     int64  `json:"id"`
	Desk   int64  `json:"desk" api:"ref=Desk,filter"`
	Reason string `json:"reason"`
	Code   string `json:"code" api:"hidden"`
}

// Tag is a record that everyone reads, but not its desk.
type Tag struct {
	ID   int64 `json:"id"`
	Desk int64 `json:"desk" api:"ref=Desk,filter"`
}

// desks returns a client whose callers are "chief" and others.
func desks(t *testing.T) spec.Client {
	t.Helper()
	chief := access.If("chief", func(name string) bool { return name == "chief" })
	secret := access.Field{Read: chief, Write: chief}
	hidden := spec.OpenBut(map[string]access.Field{"reason": {Read: chief}})
	hidden.Read = chief
	seal := func(name string, when access.Rule) operation.Operation {
		return operation.Post{Name: name, URITemplate: "/desks/{id}/" + name, When: when, Handler: operation.Set("floor", name)}
	}
	return spec.NewClient(t,
		resource.Config{Authentication: []access.Scheme{access.Bearer("token", func(_ context.Context, token string) (string, access.Scopes, error) {
			return token, nil, nil
		})}},
		resource.Of[Desk]{
			Access: spec.OpenBut(map[string]access.Field{"badge": secret, "row": secret, "pin": {Read: chief}}),
			Operations: append(operation.Standard(),
				seal("byReason", access.Not(access.Related("Hold.desk", access.Where("reason", "repair")))),
				seal("byCode", access.Related("Hold.desk", access.Where("code", "repair"))),
				seal("byTag", access.Related("Tag.desk", access.Public))),
		},
		resource.Of[Hold]{Access: hidden},
		resource.Of[Tag]{Access: spec.OpenBut(map[string]access.Field{"desk": {Read: chief}})})
}

func TestConflictsNameNothingThatTheCallerMayNotRead(t *testing.T) {
	t.Parallel()
	c := desks(t)
	c.As("chief", "POST /api/desks", `{"room":"1","pin":"1","floor":"1"}`).HasStatus(201)
	const unnamed = `{"type":"about:blank","title":"Conflict","status":409,"detail":"The change conflicts with another record."`
	c.As("clerk", "POST /api/desks", `{"room":"1","pin":"2"}`).HasStatus(409).Mentions(`"field":"room"`)
	c.As("clerk", "POST /api/desks", `{"room":"2","pin":"2","floor":"2"}`).Is(409, unnamed+`}`)
	c.As("chief", "POST /api/desks", `{"room":"2","pin":"2","floor":"2"}`).HasStatus(409).Mentions(`"detail":"badge is already in use."`)
	c.As("chief", "PATCH /api/desks/1", `{"badge":"B2"}`).HasStatus(200)
	c.As("clerk", "POST /api/desks", `{"room":"2","pin":"2","floor":"1"}`).Is(409, unnamed+`,"fields":["floor"]}`)
	c.As("chief", "POST /api/desks", `{"room":"2","pin":"2","floor":"1"}`).HasStatus(409).Mentions("The combination of floor and row", `["floor","row"]`)
	c.As("clerk", "POST /api/desks", `{"room":"2","pin":"1","floor":"2"}`).HasStatus(409).Mentions(`"field":"pin"`) // which the clerk has sent
	c.As("chief", "POST /api/holds", `{"desk":"/api/desks/1"}`).HasStatus(201)
	c.As("chief", "DELETE /api/desks/1", "").HasStatus(409).Mentions("Hold.desk references it.")
	c.As("clerk", "DELETE /api/desks/1", "").Is(409,
		`{"type":"about:blank","title":"Conflict","status":409,"detail":"The record cannot be deleted because another record references it."}`)
	c.As("chief", "DELETE /api/holds/1", "").HasStatus(204)
	c.As("chief", "POST /api/tags", `{"desk":"/api/desks/1"}`).HasStatus(201)
	c.As("clerk", "DELETE /api/desks/1", "").HasStatus(409).Lacks("Tag")
}

func TestConditionsAboutOtherRecordsNameNothingThatTheCallerMayNotRead(t *testing.T) {
	t.Parallel()
	c := desks(t)
	c.As("chief", "POST /api/desks", `{"room":"1","pin":"1","floor":"1"}`).HasStatus(201)
	c.As("chief", "POST /api/holds", `{"desk":"/api/desks/1","reason":"repair"}`).HasStatus(201)
	c.As("chief", "POST /api/desks/1/byReason", "").HasStatus(409).Mentions("must meet this condition")
	c.As("clerk", "POST /api/desks/1/byReason", "").HasStatus(409).Lacks("Hold")
	c.As("chief", "POST /api/desks/1/byTag", "").HasStatus(409).Mentions("related Tag")
	c.As("clerk", "POST /api/desks/1/byTag", "").HasStatus(409).Lacks("Tag")
	for _, caller := range []string{"chief", "clerk"} {
		c.As(caller, "POST /api/desks/1/byCode", "").Is(409,
			`{"type":"about:blank","title":"Conflict","status":409,"detail":"The desk is not in a state that allows this operation."}`)
	}
}
