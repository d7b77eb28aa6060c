// Package format defines wire formats: how responses with records, pages and errors are written, and how request bodies
// are read.
//
// resource.Config.Formats lists the formats of an API; the default is [Standard]: JSON, and NDJSON for whole
// collections. A client chooses the format of the response by Accept or by a suffix of the path, and declares that of
// its body in Content-Type. Everything between is the same for all formats. A reader converts the body to JSON before
// anything else looks at it. A writer gets the fields of the response as JSON.
//
// A format of your own is a value of [Format]:
//
//	resource.Config{Formats: append(format.Standard(), format.Format{
//		MediaType: "text/x-card",
//		Suffix:    ".card",
//		Item:      writeCard, // func(b []byte, item format.Item) ([]byte, error)
//	})}
//
// This one writes single records and results of handlers. Collection adds collections, Read adds bodies, and WriteError
// adds errors.
package format
