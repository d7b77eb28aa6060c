package main

import (
	"fmt"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
)

var formats = append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format, card)

var card = format.Format{
	MediaType:  "text/x-card",
	Suffix:     ".card",
	Item:       writeItem,                                             // a record, or the result of a handler
	Collection: format.Collection{Item: writeItem, Separator: "--\n"}, // a page of records
}

func writeItem(b []byte, item format.Item) ([]byte, error) {
	fields, err := item.Fields()
	for _, f := range fields {
		b = fmt.Appendf(b, "%s: %s\n", f.Name, f.JSON)
	}
	return b, err
}
