package codec_test

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// codecOfType returns the codec of a type.

// generatedRules returns a random type with rules, and with fields that are read-only or write-only, its generator
// and its codec.
func generatedRules(t *testing.T, seed uint64) (generator, subject, reflect.Type) {
	t.Helper()
	g := newGenerator(seed)
	g.others = []string{"", "", ` api:"readonly"`, ` api:"writeonly"`, ` validate:"omitempty"`, ` validate:"required"`}
	goType := g.structure(3)
	compiled, err := model.CompileType(goType)
	if err != nil {
		t.Skipf("%v: %v", goType, err)
	}
	needs := map[*model.Field]bool{}
	require(g, compiled, needs, map[*model.Struct]bool{})
	c, err := codec.Compile(compiled)
	if err != nil {
		t.Fatalf("%v: %v", goType, err)
	}
	return g, subject{c, model.ViewsOf(compiled, needs)}, goType
}

// require marks random fields as required.
func require(g generator, t *model.Type, needs map[*model.Field]bool, met map[*model.Struct]bool) {
	for t.Elem != nil {
		t = t.Elem
	}
	if t.Struct == nil || met[t.Struct] {
		return
	}
	met[t.Struct] = true
	for _, f := range t.Struct.Fields {
		needs[f] = g.IntN(6) == 0
		require(g, f.Type, needs, met)
	}
}

// body returns a random body for a type: the state of a record, often with its fields sorted by name or with some
// damage.
func (g generator) body(t *testing.T, c subject, goType reflect.Type) []byte {
	t.Helper()
	record := reflect.New(goType)
	g.fill(record.Elem(), 6)
	body, err := c.AppendState(nil, record.Interface())
	if err != nil {
		t.Skip(err)
	}
	if g.IntN(3) == 0 {
		var value any
		if json.Unmarshal(body, &value) == nil {
			body, _ = json.Marshal(value, json.Deterministic(true))
		}
	}
	for range g.IntN(3) {
		body = g.damage(body)
	}
	return body
}

// damage changes a random place in a body, so that it is often still a valid body.
func (g generator) damage(body []byte) []byte {
	if len(body) == 0 {
		return body
	}
	i := g.IntN(len(body))
	end := min(len(body), i+g.IntN(6))
	switch g.IntN(6) {
	case 0:
		return bytes.Replace(body, []byte(","), []byte(pick(g, []string{" ,\n", ",\t ", ",,", " "})), 1+g.IntN(3))
	case 1:
		return fmt.Appendf(nil, "%s%c%s", body[:i], pick(g, []rune("\x00\"{}[],:x0-\\ 🙂")), body[end:])
	case 2:
		return append(bytes.Clone(body[:end]), body[i:]...)
	case 3:
		value := pick(g, []string{"null", "1e1", "1.0", "-0", "01", "1e400", "99999999999999999999", "7", `""`, "[]", "{}", "false", `"2024-01-01T00:00:00Z"`})
		if colon := bytes.IndexByte(body[i:], ':'); colon >= 0 {
			i += colon + 1
			length := max(0, bytes.IndexAny(body[i:], ",}]"))
			return fmt.Appendf(nil, "%s%s%s", body[:i], value, body[i+length:])
		}
	case 4:
		text := pick(g, []string{`\u0000`, `\n`, `\ud83d\ude00`, `\ud800`, "é", "\xff", `\"`, "\n"})
		if quote := bytes.IndexByte(body[i:], '"'); quote >= 0 {
			return fmt.Appendf(nil, "%s%s%s", body[:i+quote+1], text, body[i+quote+1:])
		}
	}
	return body[:len(body)-g.IntN(2)]
}

// wantIndependent decodes a body into a copy of a record. The record must not change, and a result without
// violations must be encodable.
func wantIndependent(t *testing.T, c subject, body []byte, stored any, mode mode) {
	t.Helper()
	before, into := encode(t, c, stored), c.Clone(stored)
	found, err := c.Decode(body, into, mode)
	if err == nil && found.Violations == nil {
		encode(t, c, into)
	}
	if after := encode(t, c, stored); after != before {
		t.Errorf("%s: a record that shares memory became %s, was %s", body, after, before)
	}
}

func TestGeneratedBodiesChangeNoOtherRecord(t *testing.T) {
	t.Parallel()
	for seed := range uint64(many(3_000)) {
		g, c, goType := generatedRules(t, seed)
		stored := reflect.New(goType)
		g.fill(stored.Elem(), 6)
		for mode := create; mode <= merge; mode++ {
			wantIndependent(t, c, g.body(t, c, goType), stored.Interface(), mode)
		}
	}
}

func FuzzDecodeGeneratedTypes(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, []byte(`{"f0":null}`), byte(0))
	}
	f.Fuzz(func(t *testing.T, seed uint64, body []byte, mode byte) {
		g, c, goType := generatedRules(t, seed)
		stored := reflect.New(goType)
		g.fill(stored.Elem(), 6)
		wantIndependent(t, c, body, stored.Interface(), modeOf(mode))
		wantIndependent(t, c, g.body(t, c, goType), stored.Interface(), modeOf(mode))
	})
}
