package model_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/model"
)

type node struct {
	ID     string           `json:"id" api:"id"`
	Secret string           `json:"secret" api:"writeonly"`
	Made   string           `json:"made" api:"readonly"`
	Note   string           `json:"note,omitempty"`
	Part   part             `json:"part"`
	Maybe  *part            `json:"maybe"`
	Parts  []part           `json:"parts"`
	By     map[string]part  `json:"by"`
	Lists  map[string][]any `json:"lists"`
	Next   *node            `json:"next"`
}

type part struct {
	Secret string `json:"secret" api:"writeonly"`
	Name   string `json:"name"`
}

// setOf makes the views of a node, all of whose fields records need.
func setOf(t *testing.T) *model.Views {
	t.Helper()
	of, err := model.CompileType(reflect.TypeFor[node]())
	if err != nil {
		t.Fatal(err)
	}
	needs := map[*model.Field]bool{}
	for _, s := range []*model.Struct{of.Struct, of.Struct.Field("part").Type.Struct} {
		for _, f := range s.Fields {
			needs[f] = true
		}
	}
	return model.ViewsOf(of, needs)
}

func TestWhatEachViewRequires(t *testing.T) {
	t.Parallel()
	s := setOf(t)
	for name, test := range map[string]struct {
		of   *model.View
		want []string // that may be left out
	}{
		"an answer shows all but what is omitted, and has no secrets": {s.View(model.Response), []string{"note"}},
		"a sparse answer has the identifier":                          {s.View(model.Response).Sparse, []string{"made", "note", "part", "maybe", "parts", "by", "lists", "next"}},
		"a new record lacks what clients do not set":                  {s.View(model.Create), []string{"made"}},
		"a path names the record":                                     {s.View(model.CreateNamed), []string{"id", "made"}},
		"secrets stay when a record is replaced":                      {s.View(model.Replace), []string{"secret", "made"}},
		"and so does what the path names":                             {s.View(model.ReplaceNamed), []string{"id", "secret", "made"}},
		"a merge patch keeps what it leaves out":                      {s.View(model.Merge), []string{"id", "secret", "made", "note", "part", "maybe", "parts", "by", "lists", "next"}},
	} {
		if diff := cmp.Diff(test.want, test.of.Names(func(m *model.ViewField) bool { return !m.Required })); diff != "" {
			t.Errorf("%s: may be left out (-want +got):\n%s", name, diff)
		}
	}
}

func TestWhatIsWithinAView(t *testing.T) {
	t.Parallel()
	s := setOf(t)
	part := func(v *model.View) *model.View { return v.Field(v.Struct.Field("part")).Inner }
	create, replace, merge := part(s.View(model.Create)), part(s.View(model.Replace)), part(s.View(model.Merge))
	for name, test := range map[string]struct {
		of   *model.View
		want map[string]*model.View
	}{
		"what is created is new":     {s.View(model.Create), map[string]*model.View{"part": create, "maybe": create, "parts": create, "by": create}},
		"in place of what is stored": {s.View(model.Replace), map[string]*model.View{"part": replace, "maybe": create, "parts": create, "by": create}},
		"of a path that names it":    {s.View(model.ReplaceNamed), map[string]*model.View{"part": replace, "maybe": create, "parts": create, "by": create}},
		"a merge patch goes on":      {s.View(model.Merge), map[string]*model.View{"part": merge, "maybe": merge, "parts": create, "by": merge}},
		"where nothing is to merge":  {s.View(model.Merge).New, map[string]*model.View{"part": merge.New, "maybe": merge.New, "parts": create, "by": merge.New}},
		"what is chosen is whole":    {s.View(model.Response).Sparse, map[string]*model.View{"part": part(s.View(model.Response)), "maybe": part(s.View(model.Response)), "parts": part(s.View(model.Response))}},
	} {
		for member, want := range test.want {
			if got := test.of.Field(test.of.Struct.Field(member)).Inner; got != want {
				t.Errorf("%s: %s has the view %+v, want %+v", name, member, got, want)
			}
		}
	}
	if next := s.View(model.Create).Field(s.View(model.Create).Struct.Field("next")).Inner; next != s.View(model.Create) {
		t.Error("a struct within itself has a view of its own")
	}
}

func TestAViewIsCompleteIfResponsesShowAllFields(t *testing.T) {
	t.Parallel()
	type open struct {
		ID   int64 `json:"id"`
		Next *open `json:"next"`
	}
	of, err := model.CompileType(reflect.TypeFor[open]())
	if err != nil {
		t.Fatal(err)
	}
	whole := model.ViewsOf(of, nil).View(model.Response)
	if !whole.IsComplete() || whole.Only([]string{"id"}).IsComplete() || setOf(t).View(model.Response).IsComplete() || !setOf(t).View(model.AllFields).IsComplete() {
		t.Error("a view that lacks a member is whole, or one that has all is not")
	}
}

func TestNamesOfViewsAreTellingAndKnown(t *testing.T) {
	t.Parallel()
	s := setOf(t)
	for _, v := range []*model.View{s.View(model.Response), s.View(model.Response).Sparse, s.View(model.Create), s.View(model.CreateNamed), s.View(model.Replace), s.View(model.ReplaceNamed), s.View(model.Merge)} {
		if !slices.Contains(model.ViewNames(), v.Name) {
			t.Errorf("%q is no name that Names has", v.Name)
		}
	}
	if none := model.ViewsOf(&model.Type{Kind: model.List, Elem: &model.Type{Kind: model.Int}}, nil); none.View(model.Response) != nil || none.View(model.Create) != nil {
		t.Error("a type without a struct has a view")
	}
}
