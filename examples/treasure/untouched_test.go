package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestEveryOperationWorksWithTheExamplesOfTheDocument sends what the documentation's page
// sends when nothing is changed in it, each to a service that has just begun.
func TestEveryOperationWorksWithTheExamplesOfTheDocument(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData([]byte(start(t).send("GET /api/docs.json", "").is(200).body))
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			tried++
			t.Run(operation.OperationID, func(t *testing.T) {
				t.Parallel()
				target := path
				for _, parameter := range operation.Parameters {
					if parameter.Value.In == openapi3.ParameterInPath {
						target = strings.ReplaceAll(target, "{"+parameter.Value.Name+"}", fmt.Sprint(parameter.Value.Example))
					}
				}
				var body []byte
				if operation.RequestBody != nil {
					example, err := json.Marshal(operation.RequestBody.Value.Content["application/json"].Example)
					if err != nil {
						t.Fatal(err)
					}
					body = example
				}
				want := 200
				for operation.Responses.Status(want) == nil {
					want++
				}
				start(t).send(method+" "+target, string(body)).is(want)
			})
		}
	}
	if tried != 12 {
		t.Errorf("%d operations are tried, want 12", tried)
	}
}

func TestHelpIsNotAnErrorAndErrorsAreReportedOnce(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"-h", "-help", "--help"} {
		var out bytes.Buffer
		if err := run(t.Context(), []string{flag}, &out); err != nil {
			t.Errorf("%s ends with %v", flag, err)
		}
		for _, want := range []string{"Usage of treasure:", "-addr", "-db", "-routes"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s prints %s, which does not have %s", flag, out.String(), want)
			}
		}
	}
	for arguments, want := range map[string]string{
		"-adr":     "unknown flag -adr; did you mean -addr?; -h lists the flags",
		"-rate=x":  `invalid value "x" for flag -rate: parse error; -h lists the flags`,
		"serve -h": `unexpected argument "serve"; -h lists the flags`,
	} {
		if err := run(t.Context(), strings.Fields(arguments), io.Discard); err == nil || err.Error() != want {
			t.Errorf("%s ends with %v, want %s", arguments, err, want)
		}
	}
}
