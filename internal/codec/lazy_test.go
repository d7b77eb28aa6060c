package codec_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

type lamp struct {
	ID    int64   `json:"id"`
	Name  string  `json:"name"`
	Code  *string `json:"code" api:"writeonly"`
	Bulbs []bulb  `json:"bulbs"`
}

type bulb struct {
	Watts int `json:"watts"`
}

type lit struct {
	ID    int64         `json:"id"`
	Spots map[string]on `json:"spots"`
}

type on struct {
	Watts int `json:"watts" default:"[]"`
}

func TestTheFirstUsesOfACodecMayBeAtOnce(t *testing.T) {
	t.Parallel()
	const body = `{"id":0,"name":"Desk","bulbs":[{"watts":7}]}`
	c := codecOf[lamp](t)
	var users sync.WaitGroup
	for range 8 {
		users.Go(func() {
			record := c.New()
			decoded, err := c.Decode([]byte(body), record, create)
			if err != nil || decoded.Violations != nil {
				t.Errorf("decoding: %v, %v", err, decoded.Violations)
			}
			if text, err := c.Append(nil, c.Clone(record)); err != nil || string(text) != body {
				t.Errorf("encoding: %s, %v, want %s", text, err, body)
			}
			if text, err := c.AppendState(nil, record); err != nil || !strings.Contains(string(text), `"code":null`) || c.ShowsState() {
				t.Errorf("the state: %s, %v, want its code", text, err)
			}
			if text, err := c.Select([]string{"name"}).Append(nil, record); err != nil || string(text) != `{"name":"Desk"}` {
				t.Errorf("what is selected: %s, %v, want its name", text, err)
			}
			if renewed := c.Renew(record).(*lamp); renewed.Name != "" {
				t.Errorf("renewed: %+v, want no name", renewed)
			}
		})
	}
	users.Wait()
}

func TestMistakenDefaultsAreFoundWithoutUse(t *testing.T) {
	t.Parallel()
	for name, typ := range map[string]*model.Type{
		"in a struct":            typeOf[on](t),
		"in a map of a struct":   typeOf[lit](t),
		"in a list":              typeOf[[]on](t),
		"behind pointers":        typeOf[[]*lit](t),
		"in a list within a map": typeOf[map[string][]on](t),
	} {
		if _, err := codec.Compile(typ); err == nil || !strings.Contains(err.Error(), "on.Watts: default") {
			t.Errorf("%s: the error is %v, want the default of on.Watts", name, err)
		}
	}
}
