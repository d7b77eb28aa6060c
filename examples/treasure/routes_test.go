package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// printed returns what the program prints when it is started with a flag.
func printed(t *testing.T, flag string) string {
	t.Helper()
	var out strings.Builder
	if err := run(t.Context(), []string{flag}, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTheDocumentIsPrinted(t *testing.T) {
	t.Parallel()
	text := printed(t, "-openapi")
	var document struct {
		OpenAPI string `json:"openapi"`
		Info    struct {
			Title string `json:"title"`
		} `json:"info"`
		Paths map[string]any `json:"paths"`
	}
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	if document.Info.Title != "Treasures" || len(document.Paths) != 4 {
		t.Errorf("the document is of %s and has %d paths", document.Info.Title, len(document.Paths))
	}
	if served := start(t).send("GET /api/docs.json", "").is(200); served.body != text {
		t.Error("another document is served")
	}
}

func TestTheRoutesArePrinted(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSpace(printed(t, "-routes")), "\n")
	want := []string{
		"METHOD  PATH                       OPERATION             STATUS",
		"GET     /api/dragon_treasures/{id}  getDragonTreasure     200",
	}
	if len(lines) != 13 || strings.Join(strings.Fields(lines[0]), " ") != strings.Join(strings.Fields(want[0]), " ") ||
		strings.Join(strings.Fields(lines[1]), " ") != strings.Join(strings.Fields(want[1]), " ") {
		t.Errorf("the routes are\n%s", strings.Join(lines, "\n"))
	}
	if last := strings.Fields(lines[12]); strings.Join(last, " ") != "DELETE /api/programmers/{nickname} deleteProgrammer 204" {
		t.Errorf("the last route is %s", lines[12])
	}
}
