// Package versioned has two versions of a struct. Its test runs the migrations that Trove writes with goose and Atlas.
package versioned

// Lamp is the first version.
type Lamp struct {
	ID   int64  `json:"id"`
	Name string `json:"name" api:"sort"`
}

// LampWithColor is the second version, with what needs a column, a default, an index, a search and a unique index.
type LampWithColor struct {
	ID    int64   `json:"id"`
	Name  string  `json:"name" api:"sort,filter=partial"`
	Color string  `json:"color" default:"it's white" api:"filter"`
	Code  *string `json:"code" api:"unique"`
	Story *string `json:"story" api:"search=fulltext:english"`
}
