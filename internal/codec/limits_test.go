package codec_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/model"
)

type chain struct {
	Number  int              `json:"number" validate:"omitempty,gt=1"`
	Missing string           `json:"missing"`
	Next    *chain           `json:"next"`
	Items   []*chain         `json:"items"`
	Named   map[string]chain `json:"named"`
}

// hostile are bodies whose reports could grow with the square of their size: many wrong or empty values below a long
// name or many levels.
func hostile(size int) map[string]string {
	nest := func(inside string) string {
		return strings.Repeat(`{"number":1,"missing":"","next":`, size) + inside + strings.Repeat("}", size)
	}
	under := func(inside string) string {
		return `{"missing":"","named":{"` + strings.Repeat(".[]", 10*size) + `":{"missing":"","items":[` + strings.Repeat(inside+",", size) + `{"missing":""}]}}}`
	}
	var unknown strings.Builder
	for i := range size {
		fmt.Fprintf(&unknown, `"x%d":0,`, i)
	}
	return map[string]string{
		"unknown members":                    nest("{" + unknown.String() + `"missing":""}`),
		"wrong types":                        nest(`{"missing":"","items":[` + strings.Repeat("7,", size) + `7]}`),
		"empty values":                       nest(`{"missing":"","items":[` + strings.Repeat(`{"number":0,"missing":""},`, size) + `{"missing":""}]}`),
		"missing members":                    nest(`{"missing":"","items":[` + strings.Repeat(`{},`, size) + `{}]}`),
		"wrong types below a long name":      under("7"),
		"empty values below a long name":     under(`{"number":0,"missing":""}`),
		"missing members below a long name":  under(`{}`),
		"an unknown field below a long name": under(`{"missing":"","x":0}`),
		"unknown members beside a long name": "{" + unknown.String() + `"` + strings.Repeat(".", 10*size) + `":0,"missing":""}`,
	}
}

// allocated is how many bytes a function takes, as the least of a few runs.
func allocated(run func()) uint64 {
	least := ^uint64(0)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		run()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

//nolint:paralleltest // others would allocate meanwhile
func TestTheMemoryForAHostileBodyIsLinearInIt(t *testing.T) {
	c := codecOf[chain](t, "missing")
	size := 1_000
	if testing.Short() {
		size = 250
	}
	small, large := hostile(size), hostile(4*size)
	for name := range small {
		var bytes [2]uint64
		for i, body := range []string{small[name], large[name]} {
			bytes[i] = allocated(func() {
				if _, err := c.Decode([]byte(body), c.New(), create); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			})
		}
		if limit := 8*bytes[0] + 1<<16; bytes[1] > limit {
			t.Errorf("%s: of a body of %d bytes %d are made, of four times as much %d: more than %d",
				name, len(small[name]), bytes[0], bytes[1], limit)
		}
	}
}

func TestErrorsOfABodyHaveABudget(t *testing.T) {
	t.Parallel()
	const size = 500
	c := codecOf[chain](t, "missing")
	for name, body := range hostile(size) {
		record := c.New()
		decoded := decode(t, c, body, record, create)
		length := 0
		for _, v := range decoded.Violations {
			length += len(v.Field) + len(v.Message) + len(v.Code)
		}
		if told := len(decoded.Violations); told > model.MaxViolations || length > model.MaxBytes+1<<12 {
			t.Errorf("%s: %d violations are reported, in %d bytes", name, told, length)
		}
		if strings.HasPrefix(name, "empty") {
			if empty := len(emptyIn(decoded, record)); len(decoded.Violations)+decoded.More > 0 || empty != size {
				t.Errorf("%s: %d violations and %d empty values, want none and %d", name, len(decoded.Violations)+decoded.More, empty, size)
			}
			continue
		}
		if all := len(decoded.Violations) + decoded.More; all < size || all > size+1 || decoded.More == 0 {
			t.Errorf("%s: %d violations with the %d that are left out, want %d", name, all, decoded.More, size)
		}
	}
}

func TestALongNameIsCutInTheMiddle(t *testing.T) {
	t.Parallel()
	c := codecOf[chain](t)
	name := "begin" + strings.Repeat("é", 1<<19) + "end"
	decoded := decode(t, c, `{"`+name+`":1,"named":{"`+name+`":{"number":"x"}}}`, c.New(), create)
	if len(decoded.Violations) != 2 {
		t.Fatalf("%d violations, want 2", len(decoded.Violations))
	}
	for i, shape := range []struct{ before, behind, pointer string }{
		{"begin", "end", "/begin"}, {"named[begin", "end].number", "/named/begin"},
	} {
		v := decoded.Violations[i]
		if len(v.Field) > 200 || !strings.HasPrefix(v.Field, shape.before) || !strings.HasSuffix(v.Field, shape.behind) || !strings.Contains(v.Field, "é…é") {
			t.Errorf("the path is %q", v.Field)
		}
		if pointer := v.Pointer(); len(pointer) > 200 || !strings.HasPrefix(pointer, shape.pointer) {
			t.Errorf("the pointer is %q", pointer)
		}
		if len(v.Message) > 200 {
			t.Errorf("the message is %q", v.Message)
		}
	}
}
