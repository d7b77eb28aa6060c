package format_test

import (
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Lantern has fields of all sorts.
type Lantern struct {
	ID    int64             `json:"id"`
	Name  string            `json:"name" validate:"notblank"`
	Note  *string           `json:"note"`
	Grams float64           `json:"grams"`
	Lit   bool              `json:"lit"`
	Tags  []string          `json:"tags"`
	Size  Size              `json:"size"`
	More  map[string]string `json:"more"`
	Lamp  *int64            `json:"lamp" api:"ref=Lamp"`
	Made  time.Time         `json:"made" api:"readonly"`
}

// Size is within a Lantern.
type Size struct {
	High int    `json:"high"`
	Unit string `json:"unit"`
}

// A record, a page and an error stay the same in each format.
func TestResponsesOfEachFormatMatchTheGoldenFiles(t *testing.T) {
	t.Parallel()
	made := time.Date(2026, 2, 28, 10, 30, 0, 500_000_000, time.FixedZone("", 3600))
	stored := memory.New(
		Lantern{ID: 1, Name: `a "tall", old one`, Grams: 0.5, Tags: []string{"iron", "oil"}, Size: Size{3, "ft"}, More: map[string]string{"=a": "é"}, Lamp: new(int64(1)), Made: made},
		Lantern{ID: 2, Name: "=1+1", Note: new("two\nlines"), Grams: 1e21, Lit: true, Tags: []string{"a b"}, Size: Size{-1, ""}, Made: made},
		Lantern{ID: 3, Name: "@", Note: new(""), Tags: []string{}, More: map[string]string{}, Made: made},
	)
	c := newLamps(t, resource.Config{}, resource.Of[Lantern]{Store: stored}, resource.Of[Lamp]{Store: memory.New(Lamp{1, "a", 60})})
	for _, in := range languages {
		for name, request := range map[string]string{"item": "GET /api/lanterns/1", "page": "GET /api/lanterns?itemsPerPage=2&page=1", "refusal": "GET /api/lanterns?colour=red"} {
			answer := c.Send(request, "", "Accept", in.mediaType)
			wanted, contentType := http.StatusOK, in.mediaType
			if name == "refusal" {
				wanted, contentType = http.StatusBadRequest, in.refusals
			}
			if got, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";"); answer.Status != wanted || got != contentType {
				t.Errorf("%s as %s is %d %s", request, in.mediaType, answer.Status, got)
			}
			text, path := answer.Body+"\n", filepath.Join("testdata", name+in.suffix)
			if *update {
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if text != string(want) {
				t.Errorf("%s as %s differs from %s; look at it and run the test with -update:\n%s\nwant\n%s", request, in.mediaType, path, text, want)
			}
		}
	}
}
