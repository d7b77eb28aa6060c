// Package openapitest checks that an API behaves as its OpenAPI document says:
//
//   - [Conform] generates valid and invalid requests from the schemas, sends them to the API in the same process, and
//     validates the responses with JSON Schema 2020-12.
//   - [Record] validates the responses to the requests of your own tests.
//   - [Golden] compares the document with a file, and reports changes that break clients.
//
// Use it in tests of your program:
//
//	func TestTheAPIMatchesItsDocument(t *testing.T) {
//		api, err := resource.New(…)
//		…
//		openapitest.Conform(t, api)
//	}
//
// A failure shows the operation and the problem, the request as a curl command, the response, and how to fix it.
package openapitest
