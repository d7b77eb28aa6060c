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

func TestMistakesInReferencesAreToldAtOnce(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[unknownTarget]{}, resource.Of[otherKey]{}, resource.Of[unlimited]{},
		resource.Of[neverNull]{}, resource.Of[withoutRef]{}, resource.Of[misspelt]{}, resource.Of[wrongType]{}, resource.Of[wrongWords]{},
		resource.Of[holder]{}, resource.Of[takenName]{}, resource.Of[Pirate]{}, resource.Of[Medal]{})
	if err == nil {
		t.Fatal("there is no error")
	}
	for _, want := range []string{
		"resource UnknownTarget: UnknownTarget.Owner: refers to Pirat, which no resource is called; allowed: ",
		`did you mean "Pirate"?`,
		"resource OtherKey: OtherKey.Owner: has keys of the type string, but the identifier of Pirate has the type int64",
		"resource Unlimited: unlimited.Medals: is a list of references without the rule max",
		"resource NeverNull: neverNull.Owner: has ondelete=null and the type int64, which has no null",
		"resource WithoutRef: withoutRef.Owner: api tag has expand, ondelete without the word ref",
		`resource Misspelt: misspelt.Owner: api tag has the unknown ondelete=cascad; allowed: restrict, cascade, null; did you mean "cascade"?`,
		"resource Misspelt: misspelt.Owner: api tag has the word through without a member",
		`has through=nam, which Pirate neither filters nor orders by; allowed: name; did you mean "name"?`,
		"resource WrongType: wrongType.Owner: has the word ref and the type float64",
		"resource WrongType: wrongType.Crew: has the word ref and the type []*int64",
		"resource WrongType: wrongType.Nobody: api tag has the word ref without a resource",
		`resource WrongWords: wrongWords.Owner: has the word ref and the filter "range"; allowed: exact, exists`,
		"resource WrongWords: wrongWords.Owner: has the word ref, and a default or example",
		"resource WrongWords: wrongWords.Owner: has the word ref and the rule gte; allowed: required, omitempty",
		`resource WrongWords: wrongWords.Medals: has the word ref and the filter "range"; allowed of a list: exact`,
		"resource WrongWords: wrongWords.Medals: has the word ref, and rules of its elements",
		"resource Holder: Line.Owner: has expand, through or ondelete; they are for references that are members of a record itself",
		`resource TakenName: TakenName.Inset: has the JSON name "_embedded", and owner is a reference: answers have there what a record refers to`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks\n\t%s\nin\n%v", want, err)
		}
	}
}

func TestAReferenceToARecordWithoutAnAddress(t *testing.T) {
	t.Parallel()
	pirates := resource.Of[Pirate]{Operations: []operation.Operation{operation.Post{}}}
	_, err := resource.New(resource.Config{}, resource.Of[Trunk]{}, pirates, resource.Of[Medal]{})
	const want = "resource Trunk: Trunk.OwnerID: refers to Pirate, which has no Get whose address could stand for a record; " +
		"add one, or set References of the Config to resource.Identifiers"
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
	if want := "refers to Pirate, which several resources are of; name one by its ShortName: Sailor, Cook"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want one with %s", err, want)
	}
}
