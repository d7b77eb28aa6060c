// Package accesstest tests who can call which operation of an API. It keeps the result as a table in your repository, so
// that each change of access is a line in a diff.
//
// Call [Matrix] in a test of the program that declares the API:
//
//	func TestAccess(t *testing.T) {
//		api, err := resource.New(…)
//		…
//		accesstest.Matrix(t, api, "testdata/access.golden", accesstest.Callers{
//			{Name: "anonymous"},
//			{Name: "ann", Header: http.Header{"Authorization": {"Bearer ann"}}},
//		}, accesstest.Records{"Treasure": {"published": "1", "draft": "2"}})
//	}
//
// It calls each operation on each record as each caller, and compares the statuses with the file:
//
//	operation       record          anonymous  ann  bob  root
//
//	listTreasures   -               200        200  200  200
//	createTreasure  like published  401        201  403  403
//	getTreasure     draft           404        200  404  200
//	patchTreasure   published       401        200  403  200
//
// Below are the fields with their own rules:
//
//	User.email      read ann        no         yes  no   yes
//	User.email      write ann       -          yes  -    yes
//
// A new operation fails the test until the file has its lines. Run the test with -update to write the file.
package accesstest
