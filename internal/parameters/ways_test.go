package parameters_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/store"
)

// said is a condition in each way of saying it.
type said struct {
	url, tree, body string
	written         []store.Condition // with the functions of package store
}

// say invents values for a parameter, and says its condition.
func say(r *rand.Rand, p *parameters.Parameter) said {
	name := p.Path.Name
	var texts, literals []string
	var values []any
	for range map[bool]int{true: 1 + r.IntN(3), false: 1}[p.Many] {
		value := invent(r, p)
		values = append(values, value)
		literal, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		literals = append(literals, string(literal))
		texts = append(texts, fmt.Sprint(value))
		if at, isTime := value.(time.Time); isTime {
			texts[len(texts)-1] = at.Format(time.RFC3339Nano)
		}
	}
	value := literals[0]
	if len(literals) > 1 || p.Many && r.IntN(2) == 0 {
		value = "[" + strings.Join(literals, ",") + "]"
	}
	s := said{body: fmt.Sprintf("%q:%s", p.Name, value), tree: fmt.Sprintf("%q:{%q:%s}", name, p.Word, value)}
	if p.Name == name && r.IntN(2) == 0 {
		s.tree = fmt.Sprintf("%q:%s", name, value)
	}
	for _, text := range texts {
		s.url += "&" + url.QueryEscape(p.Name) + "=" + url.QueryEscape(text)
	}
	switch p.Word {
	case "exact":
		s.written = []store.Condition{store.Eq(name, values...)}
	case "ne":
		s.written = []store.Condition{store.Ne(name, values...)}
	case "lt":
		s.written = []store.Condition{store.Lt(name, values[0])}
	case "lte":
		s.written = []store.Condition{store.Lte(name, values[0])}
	case "gt":
		s.written = []store.Condition{store.Gt(name, values[0])}
	case "gte":
		s.written = []store.Condition{store.Gte(name, values[0])}
	case "exists":
		s.written = []store.Condition{store.Ne(name, nil)}
		if values[0] != any(true) {
			s.written = []store.Condition{store.Eq(name, nil)}
		}
	case "between":
		s.written = []store.Condition{store.Gte(name, values[0]), store.Lte(name, values[0])}
		s.tree = fmt.Sprintf("%q:{\"between\":[%s,%[2]s]}", name, literals[0])
		s.body = fmt.Sprintf("%q:%q", p.Name, texts[0]+".."+texts[0])
		s.url = "&" + url.QueryEscape(p.Name) + "=" + url.QueryEscape(texts[0]+".."+texts[0])
	default: // no function searches within strings
		s.written = []store.Condition{{Fields: []string{name}, Operator: p.Operator, Values: values}}
	}
	return s
}

// invent returns a value of the Go type of a parameter's field.
func invent(r *rand.Rand, p *parameters.Parameter) any {
	if p.Word == "exists" {
		return r.IntN(2) == 0
	}
	v := reflect.New(p.Path.Leaf().Type.Base()).Elem()
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		return time.Date(2000+r.IntN(60), time.Month(1+r.IntN(12)), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(1e6)*1e3, time.UTC)
	case v.Type() == reflect.TypeFor[uuid.UUID]():
		return uuid.UUID{byte(r.IntN(256)), 15: byte(r.IntN(256))}
	case v.CanInt() && p.Allowed != nil:
		v.SetInt(1 + r.Int64N(3))
	case v.CanInt():
		v.SetInt(r.Int64N(255) - 127)
	case v.CanUint():
		v.SetUint(r.Uint64N(65536))
	case v.CanFloat():
		v.SetFloat(float64(r.Int64N(1e9)) / 64)
	case v.Kind() == reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case p.Allowed != nil:
		v.SetString(p.Allowed[r.IntN(len(p.Allowed))])
	default:
		v.SetString([]string{"x", "Größe", "a b", "50%", `"`, "1", "true", "a,b", "é&+"}[r.IntN(9)])
	}
	return v.Interface()
}

// A condition is the same as parameters of a URL, as a tree, as a body of QUERY, and written with the functions of package
// store.
func FuzzWaysToSayACondition(f *testing.F) {
	for seed := range uint64(400) {
		f.Add(seed)
	}
	set := compile(f, func(o *parameters.Options) { o.Nodes = 100 })
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		var asked, tree, body []string
		var want []store.Condition
		var met []string
		for range 1 + r.IntN(4) {
			p := set.List[r.IntN(len(set.List))]
			if p.Kind != parameters.Filter || slices.Contains(met, p.Path.Name) {
				continue
			}
			s := say(r, p)
			met, want = append(met, p.Path.Name), append(want, s.written...)
			asked, tree, body = append(asked, s.url[1:]), append(tree, s.tree), append(body, s.body)
		}
		byURL := strings.Join(asked, "&")
		byTree := "filter=" + url.QueryEscape("{"+strings.Join(tree, ",")+"}")
		byBody, err := set.QueryOf([]byte("{" + strings.Join(body, ",") + "}"))
		if err != nil {
			t.Fatal(body, explain(err))
		}
		treeBody, err := set.QueryOf([]byte(`{"filter":{` + strings.Join(tree, ",") + "}}"))
		if err != nil {
			t.Fatal(tree, explain(err))
		}
		for _, query := range []string{byURL, byTree, byBody, treeBody} {
			values, err := set.Read(t.Context(), query, http.Header{}, none, nil)
			if err != nil {
				t.Errorf("%s: %s", query, explain(err))
				continue
			}
			if diff := cmp.Diff(want, values.Query.Where); diff != "" {
				t.Errorf("%s (-want +got):\n%s", query, diff)
			}
		}
	})
}
