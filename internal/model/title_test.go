package model_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/model"
)

func TestTheTitleIsTheTaggedFieldOrOneWithAUsualName(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		record any
		want   string
	}{
		"tagged": {struct {
			ID   int
			Name string `json:"name"`
			Code int    `json:"code" api:"title"`
		}{}, "code"},
		"a usual name": {struct {
			ID    int
			Note  string `json:"note"`
			Email string `json:"email"`
			Name  string `json:"name"`
		}{}, "name"},
		"the first string": {struct {
			ID     int
			Secret string `json:"secret" api:"writeonly"`
			Note   string `json:"note"`
			Other  string `json:"other"`
		}{}, "note"},
		"not an enumeration": {struct {
			ID     int
			Status string `json:"status" validate:"oneof=open paid"`
			Note   string `json:"note"`
		}{}, "note"},
		"none": {struct {
			ID   int
			Name *struct{ A int } `json:"name"`
		}{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := model.Compile(reflect.TypeOf(c.record))
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if f := s.Title(); f != nil {
				got = f.Name
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestARecordHasOneTitleThatClientsCanRead(t *testing.T) {
	t.Parallel()
	_, err := model.Compile(reflect.TypeFor[struct {
		ID   int
		Key  string            `json:"key" api:"writeonly,title"`
		More map[string]string `json:"more" api:"title"`
		Name string            `json:"name" api:"title"`
		Code string            `json:"code" api:"title"`
	}]())
	for _, want := range []string{
		"Key: title does not support this field", "More: title does not support this field", "Code: only one field can have the word title, and Name already has it",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
