package openapi_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Relic is a resource whose collection has every sort of parameter.
type Relic struct {
	ID    int64      `json:"id"`
	Name  string     `json:"name" api:"filter=partial|range,sort,search" example:"Golden goblet"`
	Motto *string    `json:"motto" api:"filter=iexact|exists,sort"`
	Start string     `json:"start" api:"filter=start"`
	End   string     `json:"end" api:"filter=end"`
	Word  string     `json:"word" api:"filter=word_start"`
	Metal string     `json:"metal" validate:"oneof=gold silver 'white gold'" api:"filter"`
	Stars int        `json:"stars" validate:"oneof=1 2 3" api:"filter"`
	Small int8       `json:"small" api:"filter=exact|range,sort" example:"127"`
	Size  uint16     `json:"size" api:"filter=range"`
	Large int64      `json:"large" api:"filter=exact|range"`
	Score *float64   `json:"score" api:"filter=exact|range|exists,sort"`
	Open  bool       `json:"open" api:"filter,sort"`
	Known *bool      `json:"known" api:"filter"`
	At    time.Time  `json:"at" api:"filter=exact|range,sort"`
	Key   uuid.UUID  `json:"key" api:"filter"`
	Ref   *uuid.UUID `json:"ref" api:"filter=exact|exists"`
	Lair  struct {
		Depth *int `json:"depth" api:"filter=exact|range|exists,sort"`
	} `json:"lair"`
}

// Wishes are parameters of the operation's own.
type Wishes struct {
	Limit  int       `json:"limit" validate:"gte=1,lte=9" default:"3" doc:"How many wishes."`
	Ratio  *float64  `json:"ratio" validate:"omitempty,gt=0"`
	Unit   string    `json:"unit" validate:"omitempty,oneof=metric imperial"`
	Code   string    `json:"code" validate:"omitempty,len=2"`
	Since  time.Time `json:"since"`
	IDs    []int16   `json:"ids" validate:"max=2"`
	Names  []string  `json:"names"`
	Wanted bool      `json:"wanted"`
	Agent  string    `json:"X-Agent" api:"header" validate:"max=3"`
	Marks  []string  `json:"X-Marks" api:"header" validate:"dive,min=2"`
}

// relicsPath is the path of the collection in the document, too.
const relicsPath = "/api/relics"

func relicsOf(records ...Relic) resource.Declaration {
	return resource.Of[Relic]{Store: memory.New(records...), Operations: []operation.Operation{
		operation.GetCollection{
			SparseFields: true, Parameters: operation.Parameters[Wishes]{},
			Pagination: operation.Pagination{ClientEnabled: new(true), ClientPartial: new(true), MaxPage: 50},
		},
		operation.Post{},
	}}
}

// relics is an API with some records.
func relics(t *testing.T) *resource.API {
	t.Helper()
	records := make([]Relic, 5)
	for i := range records {
		records[i] = Relic{ID: int64(i + 1), Name: "a", Start: "a", Metal: "gold", Stars: 1 + i%3, Small: int8(i), Open: i%2 == 0}
	}
	records[0].Motto, records[0].Score, records[0].Lair.Depth = new("a"), new(0.5), new(1)
	return mounted(t, relicsOf(records...))
}
