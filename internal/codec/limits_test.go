package codec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/codec"
)

// The report of a body may not be the square of the body.
func TestAReportThatOutgrowsItsBodyIsCutAndSaysSo(t *testing.T) {
	t.Parallel()
	type item struct {
		Number  int     `json:"number" validate:"omitempty,gt=1"`
		Missing string  `json:"missing"`
		Next    *item   `json:"next"`
		Items   []*item `json:"items"`
	}
	const depth, width = 5_000, 5_000
	nest := func(inside string) string {
		return strings.Repeat(`{"number":1,"missing":"","next":`, depth) + inside + strings.Repeat("}", depth)
	}
	var unknown strings.Builder
	for i := range width {
		fmt.Fprintf(&unknown, `"x%d":0,`, i)
	}
	for name, body := range map[string]string{
		"unknown members": nest("{" + unknown.String() + `"missing":""}`),
		"wrong types":     nest(`{"missing":"","items":[` + strings.Repeat("7,", width) + `7]}`),
		"empty values":    nest(`{"missing":"","items":[` + strings.Repeat(`{"number":0,"missing":""},`, width) + `{"missing":""}]}`),
		"missing members": nest(`{"missing":"","items":[` + strings.Repeat(`{},`, width) + `{}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := codecOf[item](t, "missing")
			decoded := decode(t, c, body, c.New(), codec.Create)
			size := 0
			for _, v := range decoded.Violations {
				size += len(v.Field) + len(v.Message)
			}
			for _, e := range decoded.Empty {
				size += len(e.Path) + len(e.GoPath)
			}
			if limit := 80*len(body) + 1<<18; size > limit {
				t.Errorf("a body of %d bytes has a report of %d, more than %d", len(body), size, limit)
			}
			last := decoded.Violations[len(decoded.Violations)-1]
			if last.Message != "there is more to say of the body than this" || last.Code != "invalid" || last.Field != "" {
				t.Errorf("the last violation is %v, want one that says there is more", last.Message)
			}
			if !decoded.Mistyped {
				t.Error("Mistyped is false, but not everything could be looked at")
			}
		})
	}
}

func TestLongBodiesWithShortPathsAreReportedWhole(t *testing.T) {
	t.Parallel()
	c := codecOf[ruled](t)
	const count = 20_000
	body := `{"lines":[` + strings.Repeat(`{"n":0},`, count) + `{"n":"x"}]}`
	decoded := decode(t, c, body, c.New(), codec.Create)
	if len(decoded.Empty) != count {
		t.Errorf("%d empty values, want %d", len(decoded.Empty), count)
	}
	wantTold(t, "long", decoded, "lines[20000].n: n must be an integer (type)")
}
