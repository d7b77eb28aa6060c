package codec_test

import (
	"math"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/alloctest"
	"github.com/trove-api/trove/internal/model"
)

type treasure struct {
	ID          int64     `json:"id" api:"id,readonly"`
	Name        string    `json:"name" validate:"notblank,min=2,max=50"`
	Description *string   `json:"description"`
	Value       int       `json:"value" validate:"gte=0"`
	CoolFactor  *int      `json:"coolFactor" validate:"omitempty,gte=0,lte=10"`
	IsPublished bool      `json:"isPublished"`
	PlunderedAt time.Time `json:"plunderedAt" api:"readonly"`
	Weight      float64   `json:"weight"`
	Owner       string    `json:"owner"`
	Found       time.Time `json:"found"`
}

const treasureBody = `{"id":7,"name":"Golden chalice","description":"Taken from a dragon that slept.","value":1200,"coolFactor":9,` +
	`"isPublished":true,"plunderedAt":"2024-01-01T00:00:00Z","weight":1.25,"owner":"smaug","found":"2023-05-06T07:08:09Z"}`

//nolint:paralleltest // counts the allocations of the whole process
func TestDecodingAFlatBodyAllocatesLittle(t *testing.T) {
	c := codecOf[treasure](t)
	body := []byte(treasureBody)
	allocs := math.Inf(1)
	for range 10 { // the race detector drops some of what a pool gets
		n, _ := alloctest.Count(1, func() {
			if decoded, err := c.Decode(body, c.New(), create); err != nil || decoded.Violations != nil {
				t.Fatalf("%v, %v", decoded.Violations, err)
			}
		})
		allocs = min(allocs, n)
	}
	if allocs > 8 { // the record, each of its strings, what its two pointers point to, and the time
		t.Errorf("%v allocations for ten members, want at most 8", allocs)
	}
}

//nolint:paralleltest // counts the allocations of the whole process
func TestEncodingAFlatRecordAllocatesNothing(t *testing.T) {
	c := codecOf[treasure](t)
	record := c.New()
	decode(t, c, treasureBody, record, create)
	buffer := make([]byte, 0, 1024)
	if allocs, _ := alloctest.Count(200, func() { buffer, _ = c.Append(buffer[:0], record) }); allocs > 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}

func BenchmarkDecode(b *testing.B) {
	c := codecOf[treasure](b)
	body := []byte(treasureBody)
	decoder := c.read(create)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decoder.Decode(body, c.New()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMerge(b *testing.B) {
	c := codecOf[treasure](b)
	stored := c.New()
	body := []byte(`{"name":"Silver chalice","value":7,"coolFactor":3}`)
	decoder := c.read(merge)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decoder.Decode(body, c.Clone(stored)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeWhereAllIsWrong(b *testing.B) {
	c := codecOf[treasure](b)
	body := []byte(`{"nam":"x","value":"x","coolFactor":11.5,"isPublished":null,"weight":{},"owner":[],"found":"now"}`)
	decoder := c.read(create)
	b.ReportAllocs()
	for b.Loop() {
		if decoded, err := decoder.Decode(body, c.New()); err != nil || len(decoded.Violations) != 7 {
			b.Fatal(decoded.Violations, err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	c := codecOf[treasure](b)
	record := c.New()
	if _, err := c.Decode([]byte(treasureBody), record, create); err != nil {
		b.Fatal(err)
	}
	buffer := make([]byte, 0, 1024)
	encoder := c.Encoder(c.views.View(model.Response))
	b.ReportAllocs()
	for b.Loop() {
		buffer, _ = encoder.Append(buffer[:0], record)
	}
}

func BenchmarkClone(b *testing.B) {
	c := codecOf[treasure](b)
	record := c.New()
	if _, err := c.Decode([]byte(treasureBody), record, create); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		c.Clone(record)
	}
}

func BenchmarkDecodeLists(b *testing.B) {
	type order struct {
		Tags  []string          `json:"tags"`
		Lines []size            `json:"lines"`
		Sums  []float64         `json:"sums"`
		By    map[string]string `json:"by"`
	}
	c := codecOf[order](b)
	body := []byte(`{"tags":["a","bc","def"],"lines":[{"width":1,"height":2,"unit":"m"},{"width":3,"height":4,"unit":"cm"}],` +
		`"sums":[1.5,2,3.25],"by":{"a":"b","c":"d"}}`)
	decoder := c.read(create)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decoder.Decode(body, c.New()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRenew(b *testing.B) {
	c := codecOf[treasure](b)
	stored := c.New()
	if _, err := c.Decode([]byte(treasureBody), stored, create); err != nil {
		b.Fatal(err)
	}
	decoder := c.read(replace)
	b.ReportAllocs()
	for b.Loop() {
		decoder.ResetClone(stored)
	}
}
