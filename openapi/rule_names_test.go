package openapi_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// Parcel has a hidden field that its rules look at.
type Parcel struct {
	ID      int64 `json:"id"`
	Deleted bool  `json:"deleted" api:"hidden"`
	Open    bool  `json:"open"`
}

func TestHiddenFieldsAreNotNamedInTheTextOfARule(t *testing.T) {
	t.Parallel()
	rule := access.All(access.Where("deleted", false), access.Any(access.Where("open", true), isAdmin))
	api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Parcel]{Access: access.Rules{
		Read: rule, Create: access.Public, Update: access.Named("open to all", rule), Delete: access.Not(rule),
		Fields: map[string]access.Field{"open": {Read: access.Any(access.Where("deleted", true), isAdmin)}},
	}}}})
	doc, err := openapi.Document(api, openapi.Config{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := doc.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`Access: a condition on the record and (open or admin)"`, `Access: open to all"`, `Access: not (a condition on the record and (open or admin))"`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the document lacks %q", want)
		}
	}
	if strings.Contains(string(text), "deleted") {
		t.Error("the document names the hidden field")
	}
}
