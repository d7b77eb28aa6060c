// Package html serves the records of an API as pages for people. A browser at /api/books gets a table with filters,
// sorting and links, and forms for what the caller may do. The pages need no script.
//
//	resource.Config{Formats: append(format.Standard(), html.Format)}
//
// Only clients that prefer text/html get pages, as browsers do. All others get the first format of the list, and the
// OpenAPI document does not change.
package html
