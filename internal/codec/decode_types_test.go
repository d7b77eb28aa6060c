package codec_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// level marshals itself as JSON: a number between 0 and 3.
type level struct{ n int }

type place struct {
	City string `json:"city"`
	Zip  *int   `json:"zip"`
}

type everyKind struct {
	Name        string         `json:"name"`
	Nick        *string        `json:"nick"`
	IsPublished bool           `json:"isPublished"`
	Seen        *bool          `json:"seen"`
	Count       int            `json:"count"`
	Small       int8           `json:"small"`
	Byte        *uint8         `json:"byte"`
	Price       float64        `json:"price"`
	Rate        *float64       `json:"rate"`
	PlunderedAt time.Time      `json:"plunderedAt"`
	DeletedAt   *time.Time     `json:"deletedAt"`
	Photo       []byte         `json:"photo"`
	Host        netip.Addr     `json:"host"`
	Peer        *netip.Addr    `json:"peer"`
	Level       level          `json:"level"`
	Address     place          `json:"address"`
	Billing     *place         `json:"billing"`
	Tags        []string       `json:"tags"`
	Notes       []*string      `json:"notes"`
	Lines       []place        `json:"lines"`
	Grid        [][]int        `json:"grid"`
	Point       [3]float64     `json:"point"`
	One         [1]bool        `json:"one"`
	Labels      map[string]int `json:"labels"`
	Meta        any            `json:"meta"`
}

func TestAValueOfTheWrongTypeIsReportedByPathAndLeaf(t *testing.T) {
	t.Parallel()
	c := codecOf[everyKind](t)
	for body, want := range map[string]string{
		`{"name":7}`:                    "name: name must be a string (type)",
		`{"name":null}`:                 "name: name must be a string (type)",
		`{"nick":7}`:                    "nick: nick must be a string or null (type)",
		`{"isPublished":"true"}`:        "isPublished: isPublished must be true or false (type)",
		`{"isPublished":0}`:             "isPublished: isPublished must be true or false (type)",
		`{"seen":1}`:                    "seen: seen must be true, false or null (type)",
		`{"count":"7"}`:                 "count: count must be an integer (type)",
		`{"count":[7]}`:                 "count: count must be an integer (type)",
		`{"count":null}`:                "count: count must be an integer (type)",
		`{"price":"7.5"}`:               "price: price must be a number (type)",
		`{"rate":"7.5"}`:                "rate: rate must be a number or null (type)",
		`{"plunderedAt":"yesterday"}`:   "plunderedAt: plunderedAt must be a date and time such as 2006-01-02T15:04:05Z (type)",
		`{"plunderedAt":1700000000}`:    "plunderedAt: plunderedAt must be a date and time such as 2006-01-02T15:04:05Z (type)",
		`{"deletedAt":{}}`:              "deletedAt: deletedAt must be a date and time such as 2006-01-02T15:04:05Z or null (type)",
		`{"photo":"?"}`:                 "photo: photo must be a base64 string (type)",
		`{"photo":[1,2]}`:               "photo: photo must be a base64 string (type)",
		`{"photo":null}`:                "photo: photo must be a base64 string (type)",
		`{"host":7}`:                    "host: host must be a string (type)",
		`{"host":"300.1.1.1"}`:          "host: host has an invalid format (type)",
		`{"peer":7}`:                    "peer: peer must be a string or null (type)",
		`{"level":9}`:                   "level: level has an invalid format (type)",
		`{"address":"Bree"}`:            "address: address must be an object (type)",
		`{"address":[]}`:                "address: address must be an object (type)",
		`{"address":null}`:              "address: address must be an object (type)",
		`{"address":{"city":7}}`:        "address.city: city must be a string (type)",
		`{"billing":7}`:                 "billing: billing must be an object or null (type)",
		`{"billing":{"zip":"x"}}`:       "billing.zip: zip must be an integer or null (type)",
		`{"tags":"a"}`:                  "tags: tags must be an array (type)",
		`{"tags":null}`:                 "tags: tags must be an array (type)",
		`{"tags":["a",null]}`:           "tags[1]: tags[1] must be a string (type)",
		`{"notes":["a",7]}`:             "notes[1]: notes[1] must be a string or null (type)",
		`{"lines":[{},{"city":false}]}`: "lines[1].city: city must be a string (type)",
		`{"lines":[null]}`:              "lines[0]: lines[0] must be an object (type)",
		`{"grid":[[1],[2,"x"]]}`:        "grid[1][1]: grid[1][1] must be an integer (type)",
		`{"point":{}}`:                  "point: point must be an array (type)",
		`{"point":[1,2]}`:               "point: point must have exactly 3 elements (type)",
		`{"point":[1,2,3,4]}`:           "point: point must have exactly 3 elements (type)",
		`{"point":[1,"x",3]}`:           "point[1]: point[1] must be a number (type)",
		`{"one":[]}`:                    "one: one must have exactly 1 element (type)",
		`{"labels":[]}`:                 "labels: labels must be an object (type)",
		`{"labels":{"a b":"x"}}`:        "labels[a b]: labels[a b] must be an integer (type)",
		`{"labels":{"a":null}}`:         "labels[a]: labels[a] must be an integer (type)",
		`{"meta":{"a":[1e400]}}`:        "meta: meta must contain only numbers between -1.7976931348623157e308 and 1.7976931348623157e308 (type)",
	} {
		decoded := decode(t, c, body, c.New(), create)
		wantLines(t, body, decoded, want)
		if !decoded.Mistyped {
			t.Errorf("%s: Mistyped is false", body)
		}
	}
}

func TestAllErrorsAreReportedInTheOrderOfTheBody(t *testing.T) {
	t.Parallel()
	c := codecOf[everyKind](t, "nick", "name", "address.city", "isPublished")
	body := `{"tags":[1,"b",2],"price":"x","oops":1,"lines":[{"zip":{}},{"city":"Bree"}],
		"name":5,"address":{"city":1,"zap":2},"seen":null,"isPublished":null}`
	decoded := decode(t, c, body, c.New(), create)
	wantLines(t, body, decoded,
		"tags[0]: tags[0] must be a string (type)",
		"tags[2]: tags[2] must be a string (type)",
		"price: price must be a number (type)",
		`oops: Unknown field "oops" (unknown)`,
		"lines[0].zip: zip must be an integer or null (type)",
		"name: name must be a string (type)",
		"address.city: city must be a string (type)",
		`address.zap: Unknown field "zap"; did you mean "zip"? (unknown)`,
		"lines[0].city: city is required (required)",
		"nick: nick is required (required)",
		"isPublished: isPublished is required (required)",
	)
}

func TestValuesOfEveryKindAreSet(t *testing.T) {
	t.Parallel()
	c := codecOf[everyKind](t)
	into := new(everyKind)
	body := `{"name":"Ærø \"1\"\n😀","nick":"n","isPublished":true,"seen":false,"count":-3,"small":-128,"byte":255,
		"price":1.5e3,"rate":-0.25,"plunderedAt":"2024-02-29T12:00:00.5+01:00","deletedAt":null,"photo":"AQID",
		"host":"::1","peer":"10.0.0.1","level":2,"address":{"city":"Bree","zip":7},"billing":{"city":"Shire"},
		"tags":["a",""],"notes":[null,"x"],"lines":[{"city":"a"},{"zip":null}],"grid":[[1,2],[]],
		"point":[1,2,3],"one":[true],"labels":{"b":2,"a":1},"meta":{"a":[1,"x",null,true]}}`
	wantLines(t, body, decode(t, c, body, into, create))
	want := &everyKind{
		Name: "Ærø \"1\"\n😀", Nick: new("n"), IsPublished: true, Seen: new(false), Count: -3, Small: -128, Byte: new(uint8(255)),
		Price: 1500, Rate: new(-0.25), PlunderedAt: time.Date(2024, 2, 29, 11, 0, 0, 5e8, time.UTC), Photo: []byte{1, 2, 3},
		Host: netip.IPv6Loopback(), Peer: new(netip.AddrFrom4([4]byte{10, 0, 0, 1})), Level: level{2},
		Address: place{City: "Bree", Zip: new(7)}, Billing: &place{City: "Shire"},
		Tags: []string{"a", ""}, Notes: []*string{nil, new("x")}, Lines: []place{{City: "a"}, {}}, Grid: [][]int{{1, 2}, {}},
		Point: [3]float64{1, 2, 3}, One: [1]bool{true}, Labels: map[string]int{"a": 1, "b": 2},
		Meta: map[string]any{"a": []any{number("1"), "x", nil, true}},
	}
	if diff := cmp.Diff(want, into, cmp.AllowUnexported(level{}), cmp.Comparer(func(x, y netip.Addr) bool { return x == y })); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
}

func TestAWrongTypeLeavesTheFieldAsItWas(t *testing.T) {
	t.Parallel()
	c := codecOf[everyKind](t)
	before := func() *everyKind {
		return &everyKind{
			Name: "old", Nick: new("old"), Count: 3, Price: 2, Billing: &place{City: "old"}, Tags: []string{"old"},
			Point: [3]float64{1, 2, 3}, Labels: map[string]int{"a": 1}, Photo: []byte("old"), Level: level{1}, Meta: "old",
		}
	}
	body := `{"name":1,"nick":2,"count":1.5,"price":"x","billing":7,"tags":{},"point":[9,9],"labels":7,"photo":"?","level":9,"meta":"\u0000"}`
	for _, mode := range []mode{create, replace, merge} {
		into := before()
		if decoded := decode(t, c, body, into, mode); len(decoded.Violations) != 11 {
			t.Errorf("mode %v: violations %v, want 11", mode, linesOf(decoded.Violations))
		}
		if diff := cmp.Diff(before(), into, cmp.AllowUnexported(level{}), cmp.Comparer(func(x, y netip.Addr) bool { return x == y })); diff != "" {
			t.Errorf("mode %v: record (-want +got):\n%s", mode, diff)
		}
	}
}

func TestGoodElementsBesideWrongOnesKeepTheirPlace(t *testing.T) {
	t.Parallel()
	c := codecOf[everyKind](t)
	into := &everyKind{Tags: []string{"old", "old", "old"}}
	decode(t, c, `{"tags":["a",1,"c"],"labels":{"a":1,"b":"x"}}`, into, create)
	if diff := cmp.Diff([]string{"a", "", "c"}, into.Tags); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"a": 1}, into.Labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}
