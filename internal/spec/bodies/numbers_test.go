package bodies_test

import (
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// TestNewRejectsANumberOfADeclarationOrServesIt sets every number and duration of Config, Of and Metadata in turn
// to extreme values.
func TestNewRejectsANumberOfADeclarationOrServesIt(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, n := range []int64{-1, math.MinInt64, math.MaxInt64, math.MaxInt32} {
		for _, level := range []any{resource.Config{}, resource.Of[spec.Vessel]{}, operation.Metadata{}} {
			for _, path := range numbersOf(reflect.TypeOf(level)) {
				set := reflect.New(reflect.TypeOf(level)).Elem()
				set.FieldByIndex(path.Index).SetInt(n)
				if set.FieldByIndex(path.Index).Int() != n {
					continue // a smaller integer
				}
				tried++
				t.Run(fmt.Sprintf("%T.%s=%d", level, path.Name, n), func(t *testing.T) {
					t.Parallel()
					serveOrRefuse(t, set.Interface(), path.Name)
				})
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d numbers are tried", tried)
	}
}

// numbersOf lists the integers of a struct and of those in it, each with its whole index.
func numbersOf(t reflect.Type) []reflect.StructField {
	var numbers []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		switch {
		case f.Type.Kind() == reflect.Int, f.Type.Kind() == reflect.Int64:
			numbers = append(numbers, f)
		case f.Type == reflect.TypeFor[operation.Pagination]():
			for _, inner := range numbersOf(f.Type) {
				inner.Index, inner.Name = append(f.Index, inner.Index...), f.Name+"."+inner.Name
				numbers = append(numbers, inner)
			}
		}
	}
	return numbers
}

func serveOrRefuse(t *testing.T, level any, name string) {
	t.Helper()
	switch level := level.(type) {
	case resource.Config:
		serveOrSay(t, name, level, resource.Of[spec.Vessel]{})
	case resource.Of[spec.Vessel]:
		serveOrSay(t, name, resource.Config{}, level)
	case operation.Metadata:
		for _, of := range [][]operation.Operation{
			{operation.GetCollection(level), operation.Post{}, operation.Patch{}}, {operation.GetCollection{}, operation.Post(level), operation.Patch{}},
		} {
			serveOrSay(t, name, resource.Config{}, resource.Of[spec.Vessel]{Operations: of})
		}
	}
}

func serveOrSay(t *testing.T, name string, config resource.Config, of resource.Of[spec.Vessel]) {
	t.Helper()
	config.Logger = slog.New(slog.DiscardHandler)
	api, err := resource.New(config, of)
	if err != nil {
		if field := name[strings.LastIndexByte(name, '.')+1:]; !strings.Contains(err.Error(), field+" is ") {
			t.Errorf("the text does not say what %s is:\n%v", field, err)
		}
		return
	}
	c := spec.Client{T: t, Handler: api}
	for _, request := range []string{"GET /api/vessels", "POST /api/vessels", "GET /api/vessels?page=2", "GET /api/vessels?cursor=", "PATCH /api/vessels/1"} {
		body := ""
		if !strings.HasPrefix(request, http.MethodGet) {
			body = `{"name":"Argo"}`
		}
		if got := c.Send(request, body, "Idempotency-Key", `"a"`); got.Status >= 400 {
			t.Errorf("%s is %d %s", request, got.Status, got.Body)
		}
	}
}
