package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestAdminModels holds what the admin shows to an admin, to a user and to anonymous callers.
func TestAdminModels(t *testing.T) {
	t.Parallel()
	s := serveDemo(t)
	for name, token := range map[string]string{"root": "demo-root", "ann": "demo-ann", "anonymous": ""} {
		c := s
		if token != "" {
			c = s.as(token)
		}
		var got strings.Builder
		writeLines(&got, "", json.RawMessage(c.send("GET /admin/model", "").is(200).body))
		file := "testdata/admin-" + name + ".txt"
		if flag.Lookup("update").Value.String() == "true" {
			if err := os.WriteFile(file, []byte(got.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != string(want) {
			t.Errorf("the model of %s differs from %s; write it with -update, and read the difference", name, file)
		}
	}
}

// writeLines writes a value with a line for each field of an operation and of a resource.
func writeLines(b *strings.Builder, indent string, value json.RawMessage) {
	var object map[string]json.RawMessage
	var list []json.RawMessage
	switch {
	case len(value) < 120 || len(indent) > 6:
		fmt.Fprintf(b, " %s\n", value)
	case json.Unmarshal(value, &object) == nil:
		b.WriteByte('\n')
		for _, name := range slices.Sorted(maps.Keys(object)) {
			b.WriteString(indent + name)
			writeLines(b, indent+"  ", object[name])
		}
	case json.Unmarshal(value, &list) == nil:
		b.WriteByte('\n')
		for _, element := range list {
			b.WriteString(indent + "-")
			writeLines(b, indent+"  ", element)
		}
	default:
		fmt.Fprintf(b, " %s\n", value)
	}
}
