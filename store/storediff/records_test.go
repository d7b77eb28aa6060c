package storediff_test

import "github.com/trove-api/trove/store"

// pair is the key of a record with two identifier fields, as a reference has it.
type pair struct {
	Row int64  `json:"row"`
	Col string `json:"col"`
}

// land is referenced by towns, with a key K.
type land[K any] struct {
	ID     K       `json:"landId" api:"id"`
	Name   string  `json:"name" validate:"notblank,max=20" api:"unique,filter=partial,sort"`
	Size   int64   `json:"size" validate:"gte=-5,lte=5" api:"filter=exact|range,sort"`
	Keeper string  `json:"keeper" api:"filter"`
	Open   bool    `json:"open" api:"filter"`
	Note   *string `json:"note" api:"filter=exact|exists,sort"`
	Up     *K      `json:"up" api:"ref=Land,ondelete=cascade,filter=exact|exists,expand,through=name|size"`
}

// pairLand is a land with two identifier fields.
type pairLand struct {
	Row    int64   `json:"row" api:"id"`
	Col    string  `json:"col" api:"id"`
	Name   string  `json:"name" validate:"notblank,max=20" api:"unique,filter=partial,sort"`
	Size   int64   `json:"size" validate:"gte=-5,lte=5" api:"filter=exact|range,sort"`
	Keeper string  `json:"keeper" api:"filter"`
	Open   bool    `json:"open" api:"filter"`
	Note   *string `json:"note" api:"filter=exact|exists,sort"`
	Up     *pair   `json:"up" api:"ref=Land,ondelete=cascade,filter=exact|exists,expand,through=name|size"`
}

// The towns differ in the ondelete of their references.
type (
	restricting[K, L any] struct {
		ID    L      `json:"townId" api:"id"`
		Name  string `json:"name" validate:"max=20" api:"filter=partial,sort"`
		Size  *int64 `json:"size" validate:"omitempty,gte=0" api:"filter=range|exists,sort"`
		From  *int64 `json:"from"`
		Until *int64 `json:"until"`
		Land  K      `json:"land" api:"ref=Land,filter,expand,through=name|size"`
		Next  *K     `json:"next" api:"ref=Land,ondelete=null,filter=exact|exists,expand"`
		Lands []K    `json:"lands" validate:"max=3" api:"ref=Land,filter,expand,through=name"`
		Twin  *L     `json:"twin" api:"ref=Town,ondelete=null,filter,expand"`
	}
	cascading[K, L any] struct {
		ID    L      `json:"townId" api:"id"`
		Name  string `json:"name" validate:"max=20" api:"filter=partial,sort"`
		Size  *int64 `json:"size" validate:"omitempty,gte=0" api:"filter=range|exists,sort"`
		From  *int64 `json:"from"`
		Until *int64 `json:"until"`
		Land  K      `json:"land" api:"ref=Land,ondelete=cascade,filter,expand,through=name|size"`
		Next  *K     `json:"next" api:"ref=Land,filter=exact|exists,expand"`
		Lands []K    `json:"lands" validate:"max=3" api:"ref=Land,ondelete=null,filter,expand,through=name"`
		Twin  *L     `json:"twin" api:"ref=Town,filter,expand"`
	}
	forgetting[K, L any] struct {
		ID    L      `json:"townId" api:"id"`
		Name  string `json:"name" validate:"max=20" api:"filter=partial,sort"`
		Size  *int64 `json:"size" validate:"omitempty,gte=0" api:"filter=range|exists,sort"`
		From  *int64 `json:"from"`
		Until *int64 `json:"until"`
		Land  K      `json:"land" api:"ref=Land,ondelete=cascade,filter,expand,through=name|size"`
		Next  *K     `json:"next" api:"ref=Land,ondelete=null,filter=exact|exists,expand"`
		Lands []K    `json:"lands" validate:"max=3" api:"ref=Land,ondelete=cascade,filter,expand,through=name"`
		Twin  *L     `json:"twin" api:"ref=Town,ondelete=cascade,filter,expand"`
	}
)

func (restricting[K, L]) Constraints() []store.Constraint { return ofTowns() }
func (cascading[K, L]) Constraints() []store.Constraint   { return ofTowns() }
func (*forgetting[K, L]) Constraints() []store.Constraint { return ofTowns() }

// ofTowns lists the constraint first that all stores check first.
func ofTowns() []store.Constraint {
	return []store.Constraint{
		store.Unique("name", "twin").Only("size", nil, int64(1)),
		store.NoOverlap("from", "until", "land").Except("name", "b", ""),
		store.Index("name", "size"),
	}
}
