package httpfield_test

import (
	"testing"

	"github.com/trove-api/trove/internal/httpfield"
)

func TestGzipIsAcceptedUnlessItsWeightIsZero(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]bool{
		"": false, "gzip": true, "br, GZIP;q=0.5": true, "gzip;q=0": false, "gzip; q=0.0": false, "identity": false, "gzip;q=x": true,
	} {
		if got := httpfield.AcceptsGzip([]string{"br", header}); got != want {
			t.Errorf("Accept-Encoding: %s is %v, want %v", header, got, want)
		}
	}
}
