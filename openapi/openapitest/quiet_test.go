package openapitest_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestTheAPILogsNothingWhileConformRuns(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	api, err := resource.New(resource.Config{
		Logger:         slog.New(slog.NewTextHandler(&log, nil)),
		Authentication: []access.Scheme{access.Bearer("token", pirateOf)},
	}, resource.Of[loot]{Access: access.Rules{Read: isCaptain, Create: isCaptain, Update: isCaptain, Delete: isCaptain}})
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, append(pirates(), openapitest.Requests(12))...)
	if log.Len() > 0 {
		t.Errorf("the API logs %d bytes while Conform runs: %.200s", log.Len(), &log)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/loots", http.NoBody)
	r.Header.Set("Authorization", "Bearer ann")
	api.ServeHTTP(httptest.NewRecorder(), r)
	if !strings.Contains(log.String(), "access denied") {
		t.Errorf("after Conform, the API logs %q", &log)
	}
}

func TestAFailureOfTheServiceShowsItsReason(t *testing.T) {
	t.Parallel()
	broken := func(context.Context, *operation.Request, *book) error { return errors.New("the press is broken") }
	notes := &recorder{TB: t}
	openapitest.Conform(notes, compile(t, []resource.Declaration{resource.Of[book]{Prepare: broken}}), openapitest.Requests(12))
	if all := strings.Join(notes.complaints, "\n"); !strings.Contains(all, "cause: the press is broken") {
		t.Errorf("the reason is not shown:\n%.1000s", all)
	}
}
