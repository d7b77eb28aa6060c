package wire_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

// Ledger accepts strings from clients in every possible way.
type Ledger struct {
	ID     int64             `json:"id"`
	Name   string            `json:"name" validate:"max=10" api:"filter=partial,sort,search"`
	Kind   string            `json:"kind" validate:"omitempty,oneof=a b" api:"filter=exact"`
	Count  int               `json:"count" api:"filter=range,sort"`
	Rate   float64           `json:"rate"`
	Words  []string          `json:"words" validate:"unique"`
	Labels map[string]string `json:"labels"`
	Any    any               `json:"any"`
	Mail   string            `json:"mail" validate:"omitempty,email"`
	Page   string            `json:"page" validate:"omitempty,url"`
}

// TestWhatATextOfAClientCostsIsLinear sends each text twice, the second one four times as long, and compares the
// memory. Times vary too much on a busy machine, but quadratic memory shows.
//
//nolint:paralleltest // others would allocate meanwhile
func TestWhatATextOfAClientCostsIsLinear(t *testing.T) {
	api := spec.NewClient(t, resource.Config{MaxURLBytes: 1 << 20, MaxBodyValues: 1 << 20, MaxBodyDepth: 9_000},
		resource.Of[Ledger]{SparseFields: true, RequirePrecondition: false})
	api.Send("POST /api/ledgers", `{"any":{"a":{"b":1}}}`).HasStatus(201)
	repeat := strings.Repeat
	numbered := func(n int, before, behind string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(before)
			for ; i > 0; i /= 26 {
				b.WriteByte('a' + byte(i%26))
			}
			b.WriteString(behind)
		}
		return b.String()
	}
	const query, post, patch = "GET /api/ledgers?", "POST /api/ledgers", "PATCH /api/ledgers/1"
	for name, send := range map[string]func(n int) spec.Response{
		"a long unknown parameter":     func(n int) spec.Response { return api.Send(query+repeat("x", n)+"=1", "") },
		"many unknown parameters":      func(n int) spec.Response { return api.Send(query+numbered(n/4, "x", "&"), "") },
		"a known parameter many times": func(n int) spec.Response { return api.Send(query+repeat("kind=a&", n/8), "") },
		"escapes":                      func(n int) spec.Response { return api.Send(query+"name="+repeat("%2B", n/3), "") },
		"fields":                       func(n int) spec.Response { return api.Send(query+"fields=name"+repeat(",name", n/5), "") },
		"sort":                         func(n int) spec.Response { return api.Send(query+"sort=name"+repeat(",-name", n/6), "") },
		"a search":                     func(n int) spec.Response { return api.Send(query+"q="+repeat("a+", n/2), "") },
		"a filter":                     func(n int) spec.Response { return api.Send(query+"name="+repeat("a", n), "") },
		"a range":                      func(n int) spec.Response { return api.Send(query+"count[between]="+repeat("1..", n/3), "") },
		"a number in a filter":         func(n int) spec.Response { return api.Send(query+"count[gte]=1"+repeat("0", n), "") },
		"a cursor":                     func(n int) spec.Response { return api.Send(query+"cursor="+repeat("A", n), "") },
		"a path of suffixes":           func(n int) spec.Response { return api.Send("GET /api/ledgers/1"+repeat(".json", n/5), "") },
		"a path of slashes":            func(n int) spec.Response { return api.Send("GET /api"+repeat("/a", n/2), "") },
		"Accept": func(n int) spec.Response {
			return api.Send("GET /api/ledgers", "", "Accept", repeat("a/b;q=0.1,", n/10))
		},
		"parameters in Accept": func(n int) spec.Response { return api.Send("GET /api/ledgers", "", "Accept", "a/b"+repeat(";q", n/2)) },
		"If-None-Match": func(n int) spec.Response {
			return api.Send("GET /api/ledgers", "", "If-None-Match", repeat(`"a",`, n/4))
		},
		"If-Match": func(n int) spec.Response { return api.Send(patch, `{}`, "If-Match", repeat(`W/"a",`, n/6)) },
		"Content-Type": func(n int) spec.Response {
			return api.Send(post, `{}`, "Content-Type", "application/json"+numbered(n/8, ";x", "=y"))
		},
		"zeros of a number":    func(n int) spec.Response { return api.Send(post, `{"count":1.`+repeat("0", n)+`}`) },
		"an exponent":          func(n int) spec.Response { return api.Send(post, `{"count":1e`+repeat("9", n)+`}`) },
		"digits of a fraction": func(n int) spec.Response { return api.Send(post, `{"rate":0.`+repeat("9", n)+`}`) },
		"nested arrays":        func(n int) spec.Response { return api.Send(post, `{"any":`+repeat("[", n/256)+repeat("]", n/256)+`}`) },
		"nested objects": func(n int) spec.Response {
			return api.Send(post, `{"any":`+repeat(`{"a":`, n/256)+"1"+repeat("}", n/256)+`}`)
		},
		"nested where nothing is": func(n int) spec.Response { return api.Send(post, `{"x":`+repeat(`[`, n/256)+repeat("]", n/256)+`}`) },
		"one name many times":     func(n int) spec.Response { return api.Send(post, `{`+repeat(`"name":"a",`, n/11)+`"count":1}`) },
		"many unknown names":      func(n int) spec.Response { return api.Send(post, `{`+numbered(n/8, `"x`, `":1,`)+`"count":1}`) },
		"many names of one map": func(n int) spec.Response {
			return api.Send(post, `{"labels":{`+numbered(n/8, `"x`, `":"",`)+`"":"a"}}`)
		},
		"a merge patch": func(n int) spec.Response {
			return api.Send(patch, `{"any":{"a":{`+numbered(n/8, `"x`, `":null,`)+`"y":1}}}`)
		},
		"elements that must be unique": func(n int) spec.Response { return api.Send(post, `{"words":[`+numbered(n/8, `"x`, `",`)+`""]}`) },
		"a text that is no address":    func(n int) spec.Response { return api.Send(post, `{"mail":"`+repeat("a.", n/2)+`@b"}`) },
		"a text that is no link":       func(n int) spec.Response { return api.Send(post, `{"page":"http://`+repeat("%41[", n/4)+`"}`) },
		"escapes in a text":            func(n int) spec.Response { return api.Send(post, `{"name":"`+repeat(`\u00e9`, n/6)+`"}`) },
		"a body that ends":             func(n int) spec.Response { return api.Send(post, repeat(`{"any":`, n/64)) },
	} {
		took := func(n int) uint64 {
			least := ^uint64(0)
			for range 3 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				if got := send(n); got.Status >= 500 {
					t.Fatalf("%s returns %d: %s", name, got.Status, got.Body)
				}
				runtime.ReadMemStats(&after)
				least = min(least, after.TotalAlloc-before.TotalAlloc)
			}
			return least
		}
		const size = 1 << 14
		if short, long := took(size), took(4*size); long > 8*short+1<<15 {
			t.Errorf("%s: %d bytes take %d, four times as many %d", name, size, short, long)
		}
	}
}
