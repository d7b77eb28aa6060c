package openapitest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
)

// other is a response writer that replaces the body.
type other struct {
	http.ResponseWriter

	body string
}

func (o other) Write(b []byte) (int, error) { return len(b), nil }

// TestResponsesInEachFormatAreValidated breaks the responses in each media type.
func TestResponsesInEachFormatAreValidated(t *testing.T) {
	t.Parallel()
	const noType, noSchema = "returns a body that cannot be read as its media type", "returns a body that does not match its schema"
	for rule, test := range map[string]struct{ mediaType, body, want string }{
		"rows of different lengths":       {csv.MediaType, "a,b\r\nc\r\n", noType},
		"CSV without a header":            {csv.MediaType, "", noType},
		"CSV with an open quotation mark": {csv.MediaType, "a\r\n\"b", noType},
		"a line that is cut off":          {"application/x-ndjson", `{"id":1}`, noType},
		"lines that are not records":      {"application/x-ndjson", "1\n2\n", noSchema},
		"records with missing fields":     {"application/x-ndjson", "{}\n", noSchema},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			broken := func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method != http.MethodGet || !strings.HasPrefix(r.Header.Get("Accept"), test.mediaType) {
						next.ServeHTTP(w, r)
						return
					}
					next.ServeHTTP(other{w, test.body}, r)
					_, _ = io.WriteString(w, test.body)
				})
			}
			notes := &recorder{TB: t}
			openapitest.Conform(notes, fleet(t, resource.Paths, resource.Of[ship]{}, csv.Format), bearerOf("root"), openapitest.Through(broken), inFull(60))
			if all := strings.Join(notes.complaints, "\n"); !strings.Contains(all, test.want) {
				t.Errorf("no error contains %q:\n%s", test.want, all)
			}
		})
	}
}
