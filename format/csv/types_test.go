package csv_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// part holds itself.
type part struct {
	Name string `json:"name"`
	Of   *part  `json:"of"`
}

type thing struct {
	ID    int64  `json:"id"`
	Whole *part  `json:"whole"`
	Parts []part `json:"parts"`
}

func TestTypesOfHandlers(t *testing.T) {
	t.Parallel()
	get := func(name, path string, h operation.Handler) operation.Operation {
		return operation.GetCollection{Name: name, URITemplate: path, Handler: h}
	}
	list := func(context.Context, *thing, struct{}) ([]place, error) {
		return []place{{City: "a"}, {City: "=b"}}, nil
	}
	count := func(context.Context, *thing, struct{}) (int, error) { return -3, nil }
	words := func(context.Context, *thing, struct{}) ([]string, error) { return []string{"-a", "b"}, nil }
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), csv.Format)}, resource.Of[thing]{
		Operations: append(operation.Standard(), get("places", "/places", operation.Handle(list)),
			get("count", "/count", operation.Handle(count)), get("words", "/words", operation.Handle(words))),
	})
	if err != nil {
		t.Fatal(err)
	}
	send(t, api, "GET /api/places", "", "Accept", asCSV).Is(200, "city,zip\r\na,\r\n'=b,\r\n")
	send(t, api, "GET /api/count", "", "Accept", asCSV).Is(200, "value\r\n-3\r\n")
	send(t, api, "GET /api/words", "", "Accept", asCSV).Is(200, "value\r\n'-a b\r\n")
	const row = "id,whole.name,whole.of,parts\r\n1,a,\"{\"\"name\"\":\"\"b\"\",\"\"of\"\":null}\",\"[{\"\"name\"\":\"\"c\"\",\"\"of\"\":null}]\"\r\n"
	send(t, api, "POST /api/things.csv", row).Is(201, row)
}

func TestAListOfRecordsIsReadAsRows(t *testing.T) {
	t.Parallel()
	row := &format.Type{Kind: format.Object, Fields: []format.TypeField{
		{Name: "a", Type: &format.Type{Kind: format.Integer}, Writable: true},
		{Name: "b", Type: &format.Type{Kind: format.Text, Nullable: true}, Writable: true},
	}}
	made, err := csv.Format.For(&format.Type{Kind: format.List, Elem: row, Request: true})
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]string{
		"a,b\n1,x\n\n2,\n3,\"\"": `[{"a":1,"b":"x"},{"a":2,"b":null},{"a":3,"b":""}]`,
		"a,b\n":                  `[]`,
		"b,a\n\"x\ny\",":         `[{"b":"x\ny"}]`,
	} {
		if got, err := made.Read(&format.Body{Bytes: []byte(body)}); err != nil || string(got) != want {
			t.Errorf("%q is %s, %v, want %s", body, got, err, want)
		}
	}
	long := strings.Repeat("n", 2000)
	row.Fields[0].Name = long
	if made, err = csv.Format.For(&format.Type{Kind: format.List, Elem: row, Request: true}); err != nil {
		t.Fatal(err)
	}
	if _, err = made.Read(&format.Body{Bytes: []byte(long + "\n" + strings.Repeat("1\n", 100_000))}); err == nil || !strings.Contains(err.Error(), "too many rows") {
		t.Errorf("the error is %v", err)
	}
}
