package memory_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store/memory"
)

func TestOfTakesTheModelOfItsTypeOnly(t *testing.T) {
	t.Parallel()
	type coin struct {
		ID int64 `json:"id"`
	}
	right, err := model.Compile(reflect.TypeFor[coin]())
	if err != nil {
		t.Fatal(err)
	}
	if err := memory.Of[coin](right).Check(t.Context()); err != nil {
		t.Errorf("the model of the type: %v", err)
	}
	other, err := model.Compile(reflect.TypeFor[struct {
		ID int64 `json:"id"`
	}]())
	if err != nil {
		t.Fatal(err)
	}
	for name, record := range map[string]any{"nothing": nil, "a record": coin{}, "the model of another type": other} {
		if err := memory.Of[coin](record).Check(t.Context()); err == nil || !strings.Contains(err.Error(), "make the store with New") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
