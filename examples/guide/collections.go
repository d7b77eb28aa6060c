package main

import (
	"context"
	"time"

	"github.com/trove-api/trove/operation"
)

type DragonTreasure struct {
	ID          int64     `json:"id" api:"id"`
	Name        string    `json:"name" api:"filter=partial,sort,search"`
	Rarity      string    `json:"rarity" validate:"oneof=common rare unique" api:"filter,group"`
	Value       int       `json:"value" api:"filter=range,sort,aggregate"`
	CoolFactor  *int      `json:"coolFactor" api:"filter=exact|range|exists"`
	PlunderedAt time.Time `json:"plunderedAt" api:"filter=range,sort,group"`
	Owner       int64     `json:"owner" api:"ref=User,expand,filter"`
	Lair        Lair      `json:"lair"` // its fields are filtered by as lair.region
}

type Lair struct {
	Region string `json:"region" api:"filter"`
}

var pages = operation.Pagination{ItemsPerPage: 10, MaxItemsPerPage: 100}

var treasureOperations = append(operation.Standard(), exchanged, operation.Aggregate{})

// Exchange holds the parameters of an operation.
type Exchange struct {
	Currency string `json:"currency" validate:"oneof=gold silver" default:"gold" doc:"The currency of values."`
	Agent    string `json:"agent" api:"header" validate:"max=50"`
}

var exchange operation.Parameters[Exchange]

var exchanged = operation.Get{
	Name: "exchange", URITemplate: "/dragon_treasures/{id}/exchanged",
	Parameters: exchange, Handler: operation.Handle(inCurrency),
}

func inCurrency(ctx context.Context, t *DragonTreasure, _ struct{}) (*DragonTreasure, error) {
	req, _ := operation.RequestFrom(ctx)
	if exchange.Of(req).Currency == "silver" {
		t.Value *= 10
	}
	return t, nil
}
