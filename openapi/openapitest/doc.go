// Package openapitest checks that an API behaves as its OpenAPI document says. Use it in tests of your program:
//
//	func TestTheAPIIsAsDocumented(t *testing.T) {
//		api, err := resource.New(…)
//		…
//		openapitest.Conform(t, api)
//	}
//
// [Conform] generates valid and invalid requests from the document's schemas, sends them to the API in the same process,
// and validates the responses with JSON Schema 2020-12.
package openapitest
