package model_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

type crew struct {
	Name   string `json:"name" validate:"notblank"`
	Salary int    `json:"salary" validate:"gte=0"`
}

type ship struct {
	ID    int64   `json:"id" api:"id"`
	Name  string  `json:"name" validate:"notblank,max=9"`
	Guns  int     `json:"guns" validate:"gte=0"`
	Chart string  `json:"chart" api:"writeonly"`
	Mate  crew    `json:"mate"`
	Hands []*crew `json:"hands"`
}

// harbour is what is compiled of a ship.
type harbour struct {
	t       *testing.T
	record  *model.Struct
	codec   *codec.Codec
	checker *check.Checker
}

func newHarbour(t *testing.T) harbour {
	t.Helper()
	record, err := model.Compile(reflect.TypeFor[ship]())
	if err != nil {
		t.Fatal(err)
	}
	records, err := codec.Compile(&model.Type{Go: record.Go, Kind: model.Object, Struct: record})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := check.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	checker, err := rules.Compile(record, records)
	if err != nil {
		t.Fatal(err)
	}
	return harbour{t, record, records, checker}
}

// card is a view by hand: the name, which may be changed, the guns, which may not, and of the
// crew the names alone.
func (h harbour) card() *model.View {
	named := func(of *model.Field) *model.View {
		inner := of.Type.StructIn()
		return &model.View{
			Struct: inner, Request: true,
			Fields: []model.ViewField{{Field: inner.Field("name"), Readable: true, Writable: true, Required: true, Needed: true}},
		}
	}
	mate, hands := h.record.Field("mate"), h.record.Field("hands")
	return &model.View{
		Struct: h.record, Name: "Card", Request: true, Named: true,
		Fields: []model.ViewField{
			{Field: h.record.Field("name"), Readable: true, Writable: true, Required: true, Needed: true},
			{Field: h.record.Field("guns"), Readable: true},
			{Field: mate, Readable: true, Writable: true, Inner: named(mate)},
			{Field: hands, Readable: true, Writable: true, Inner: named(hands)},
		},
	}
}

func stored() *ship {
	return &ship{ID: 7, Name: "Gull", Guns: 3, Chart: "secret", Mate: crew{"Ann", 90}, Hands: []*crew{{"Bo", 5}}}
}

func TestAViewByHandIsWritten(t *testing.T) {
	t.Parallel()
	h := newHarbour(t)
	card := h.codec.Encoder(h.card())
	got, err := card.Append(nil, stored())
	if want := `{"name":"Gull","guns":3,"mate":{"name":"Ann"},"hands":[{"name":"Bo"}]}`; string(got) != want || err != nil {
		t.Errorf("it is written as %s (%v), want %s", got, err, want)
	}
	got, err = card.Narrow(h.card().Only([]string{"mate", "chart"})).Append(nil, stored())
	if want := `{"mate":{"name":"Ann"}}`; string(got) != want || err != nil {
		t.Errorf("one member of it is written as %s (%v), want %s", got, err, want)
	}
}

func TestAViewByHandIsRead(t *testing.T) {
	t.Parallel()
	h := newHarbour(t)
	decoder := h.codec.Decoder(h.card())
	for _, test := range []struct {
		name, body string
		want       *ship
		told       []string
	}{
		{
			"what it has is set, and what it lacks stays", `{"name":"Tern","mate":{"name":"Cy"},"hands":[{"name":"Di"}]}`,
			&ship{ID: 7, Name: "Tern", Guns: 3, Chart: "secret", Mate: crew{"Cy", 90}, Hands: []*crew{{"Di", 0}}}, nil,
		},
		{
			"what clients do not set is passed over", `{"name":"Tern","guns":99}`,
			&ship{ID: 7, Name: "Tern", Guns: 3, Chart: "secret", Mate: crew{"", 90}},
			[]string{"mate.name"},
		},
		{"what it requires must be there", `{"mate":{},"hands":[]}`, nil, []string{"mate.name", "name"}},
		{"what it lacks is not known", `{"name":"Tern","id":1,"chart":"x","mate":{"name":"a","salary":1}}`, nil, []string{"id", "chart", "mate.salary"}},
		{"rules hold for what it has", `{"name":"as long as that","mate":{"name":" "}}`, nil, []string{"name", "mate.name"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			record := decoder.ResetClone(stored())
			decoded, err := decoder.Decode([]byte(test.body), record)
			if err != nil {
				t.Fatal(err)
			}
			found, err := h.checker.Check(t.Context(), record, decoded)
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			for _, v := range found.Violations {
				told = append(told, v.Field)
			}
			if diff := cmp.Diff(test.told, told); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
			if test.want != nil && !reflect.DeepEqual(test.want, record) {
				t.Errorf("the record is %+v, want %+v", record, test.want)
			}
		})
	}
}

func TestWhatAViewLacksIsNotProposed(t *testing.T) {
	t.Parallel()
	h := newHarbour(t)
	decoded, err := h.codec.Decoder(h.card()).Decode([]byte(`{"name":"a","chrt":1}`), stored())
	if err != nil || len(decoded.Violations) != 1 {
		t.Fatalf("%v, %v", decoded.Violations, err)
	}
	if text := decoded.Violations[0].Message; strings.Contains(text, "chart") || !strings.Contains(text, "allowed: name, mate, hands") {
		t.Errorf("an unknown member is told %q", text)
	}
}

func TestRulesOnWhatAViewLacksAreNoFaultOfTheBody(t *testing.T) {
	t.Parallel()
	h := newHarbour(t)
	record := stored()
	record.Guns, record.Mate.Salary = -1, -1
	decoded, err := h.codec.Decoder(h.card()).Decode([]byte(`{"name":""}`), record)
	if err != nil {
		t.Fatal(err)
	}
	found, err := h.checker.Check(t.Context(), record, decoded)
	if err != nil {
		t.Fatal(err)
	}
	writable := map[string]bool{}
	for _, v := range found.Violations {
		writable[v.Field] = v.IsWritable(decoded.View)
	}
	if diff := cmp.Diff(map[string]bool{"name": true, "guns": false, "mate.salary": false}, writable); diff != "" {
		t.Errorf("what a client could mend (-want +got):\n%s", diff)
	}
}
