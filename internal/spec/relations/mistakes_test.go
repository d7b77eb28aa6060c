package relations_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Structs whose references are mistaken.
type (
	unknownTarget struct {
		ID    int64 `json:"id"`
		Owner int64 `json:"owner" api:"ref=Pirat"`
	}
	otherKey struct {
		ID    int64  `json:"id"`
		Owner string `json:"owner" api:"ref=Pirate"`
	}
	unlimited struct {
		ID     int64    `json:"id"`
		Medals []string `json:"medals" api:"ref=Medal"`
	}
	neverNull struct {
		ID    int64 `json:"id"`
		Owner int64 `json:"owner" api:"ref=Pirate,ondelete=null"`
	}
	withoutRef struct {
		ID    int64 `json:"id"`
		Owner int64 `json:"owner" api:"expand,ondelete=cascade"`
	}
	misspelt struct {
		ID    int64 `json:"id"`
		Owner int64 `json:"owner" api:"ref=Pirate,ondelete=cascad,through=nam|"`
	}
	wrongType struct {
		ID     int64    `json:"id"`
		Owner  float64  `json:"owner" api:"ref=Pirate"`
		Crew   []*int64 `json:"crew" validate:"max=3" api:"ref=Pirate"`
		Nobody int64    `json:"nobody" api:"ref"`
	}
	wrongWords struct {
		ID     int64    `json:"id"`
		Owner  int64    `json:"owner" api:"ref=Pirate,filter=range" default:"1" validate:"gte=1"`
		Medals []string `json:"medals" api:"ref=Medal,filter=range" validate:"max=3,dive,max=4"`
	}
	line struct {
		Owner int64 `json:"owner" api:"ref=Pirate,expand"`
	}
	holder struct {
		ID    int64  `json:"id"`
		Lines []line `json:"lines"`
	}
	takenName struct {
		ID    int64  `json:"id"`
		Owner int64  `json:"owner" api:"ref=Pirate"`
		Inset string `json:"_embedded"`
	}
)

func TestErrorsInReferencesAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[unknownTarget]{}, resource.Of[otherKey]{}, resource.Of[unlimited]{},
		resource.Of[neverNull]{}, resource.Of[withoutRef]{}, resource.Of[misspelt]{}, resource.Of[wrongType]{}, resource.Of[wrongWords]{},
		resource.Of[holder]{}, resource.Of[takenName]{}, resource.Of[Pirate]{}, resource.Of[Medal]{})
	if err == nil {
		t.Fatal("there is no error")
	}
	for _, want := range []string{
		`unknownTarget.Owner: references resource "Pirat", which does not exist; did you mean "Pirate"?`,
		`did you mean "Pirate"?`,
		"otherKey.Owner: the type of the key is string, but the identifier of Pirate is int64",
		`unlimited.Medals: a list of references needs a maximum, such as validate:"max=20"; or let the other resource reference this one`,
		"neverNull.Owner: ondelete=null does not support the type int64, which has no null; use a pointer, or ondelete=restrict or cascade",
		"withoutRef.Owner: expand and ondelete need ref, such as ref=User",
		`misspelt.Owner: unknown value "cascad" of ondelete in the api tag; did you mean "cascade"?`,
		"misspelt.Owner: through needs a field; write it as through=name, or through=name|email for several",
		`through=nam needs a field of Pirate with filter, sort, group or aggregate; did you mean "name"?`,
		"wrongType.Owner: ref does not support the type float64",
		"wrongType.Crew: ref does not support the type []*int64",
		"wrongType.Nobody: ref needs a resource; write it as ref=User",
		`wrongWords.Owner: filter "range" does not support a reference; allowed: exact, exists`,
		"wrongWords.Owner: a reference cannot have a default or example, because it depends on stored records; set it in Prepare",
		`wrongWords.Owner: rule "gte" does not support a reference; allowed: required, omitempty, and min and max for a slice`,
		`wrongWords.Medals: filter "range" does not support a list of references; allowed: exact`,
		"wrongWords.Medals: a reference cannot have dive, keys",
		"line.Owner: expand, through and ondelete are only for references of the record itself, not in nested structs",
		`takenName.Inset: the JSON name "_embedded" is reserved for embedded records, because owner is a reference`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks\n\t%s\nin\n%v", want, err)
		}
	}
}

func TestAReferenceToARecordWithoutAPath(t *testing.T) {
	t.Parallel()
	pirates := resource.Of[Pirate]{Operations: []operation.Operation{operation.Post{}}}
	_, err := resource.New(resource.Config{}, resource.Of[Trunk]{}, pirates, resource.Of[Medal]{})
	const want = "Trunk.OwnerID: references Pirate, which has no Get and so no path; add a Get, or set Config.References to resource.Identifiers"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want one with %s", err, want)
	}
	if _, err := resource.New(resource.Config{References: resource.Identifiers}, resource.Of[Trunk]{}, pirates, resource.Of[Medal]{}); err != nil {
		t.Errorf("with identifiers the error is %v", err)
	}
}

func TestAReferenceNamesAResourceOrItsType(t *testing.T) {
	t.Parallel()
	sailor := resource.Of[Pirate]{ShortName: "Sailor"}
	if _, err := resource.New(resource.Config{}, resource.Of[Trunk]{}, sailor, resource.Of[Medal]{}); err != nil {
		t.Errorf("a reference by the name of the type gives %v", err)
	}
	other := resource.Of[Pirate]{ShortName: "Cook"}
	_, err := resource.New(resource.Config{}, resource.Of[Trunk]{}, sailor, other, resource.Of[Medal]{})
	if want := "references type Pirate, which several resources have; use the ShortName of one: Sailor, Cook"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want one with %s", err, want)
	}
}

// A mistake in a tag is reported once, and not again for the stores and references that depend on it.
func TestMistakesOfReferencesHaveNoFollowers(t *testing.T) {
	t.Parallel()
	type Rune struct {
		ID   int64  `json:"id" api:"id"`
		Name string `json:"name" api:"filter=exakt"`
	}
	type Plain struct {
		ID   int64  `json:"id" api:"id"`
		Name string `json:"name"`
	}
	type Ring struct {
		ID     int64   `json:"id" api:"id"`
		Runes  []int64 `json:"runes" api:"ref=Rune,through=name" validate:"max=9"`
		Plains []int64 `json:"plains" api:"ref=Plain,sort,through=name" validate:"max=9"`
	}
	_, err := resource.New(resource.Config{}, resource.Of[Ring]{}, resource.Of[Rune]{}, resource.Of[Plain]{})
	want := []string{
		"3 errors in resource declarations:",
		`Ring.Plains: a reference cannot have search, nor a list of references sort;`,
		`Ring.Plains: through=name needs a field of Plain with filter; add one to the field`,
		`Rune.Name: unknown filter "exakt" in the api tag; did you mean "exact"?`,
	}
	if err == nil || strings.Count(err.Error(), "\n") != len(want)-1 {
		t.Fatalf("New returns %v, want %d lines", err, len(want))
	}
	for i, line := range strings.Split(err.Error(), "\n") {
		if !strings.Contains(line, want[i]) {
			t.Errorf("line %d is %s, want %s", i, line, want[i])
		}
	}
}
