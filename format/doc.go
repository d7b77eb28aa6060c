// Package format says what a format is: how records, pages of them and refusals look on the
// wire, and how a body is read.
//
// An API has the formats of resource.Config.Formats, [Standard] by default: JSON, and NDJSON
// for collections as a whole. A client chooses among them by Accept or by a suffix of the
// path, and says by Content-Type which one its body has. What Trove does with a request is
// the same in all of them: a reader turns a body into JSON before anything else looks at it,
// and a writer is handed what the service would answer as JSON.
//
// A format of your own is a value of [Format]:
//
//	resource.Config{Formats: append(format.Standard(), format.Format{
//		MediaType: "text/x-card",
//		Suffix:    ".card",
//		Item:      writeCard, // func(b []byte, item format.Item) ([]byte, error)
//	})}
//
// It answers then whatever has one record or the answer of a handler; with Collection it
// answers collections, with Read it takes bodies, with Refuse it tells refusals.
package format
