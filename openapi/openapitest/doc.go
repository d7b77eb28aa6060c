// Package openapitest holds an API to its OpenAPI document, in tests of the program that
// declares it:
//
//	func TestTheAPIIsAsDocumented(t *testing.T) {
//		api, err := resource.New(…)
//		…
//		openapitest.Conform(t, api)
//	}
//
// [Conform] makes requests of the document's schemas, valid ones and wrong ones, sends
// them to the API in the same process, and judges what comes back by JSON Schema 2020-12.
package openapitest
