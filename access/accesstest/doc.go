// Package accesstest keeps in a repository who may do what, in tests of the program that declares
// it:
//
//	func TestWhoMayDoWhat(t *testing.T) {
//		api, err := resource.New(…)
//		…
//		accesstest.Matrix(t, api, "testdata/access.golden", accesstest.Callers{
//			{Name: "anonymous"},
//			{Name: "ann", Header: http.Header{"Authorization": {"Bearer ann"}}},
//		}, accesstest.Records{"Treasure": {"published": "1", "draft": "2"}})
//	}
//
// [Matrix] asks each operation for each record as each caller. The table of the answers reads
//
//	operation       record          anonymous  ann  bob  root
//
//	listTreasures   -               200        200  200  200
//	createTreasure  like published  401        201  403  403
//	getTreasure     draft           404        200  404  200
//	patchTreasure   published       401        200  403  200
//
// and below it has the fields with rules
//
//	User.email      read ann        no         yes  no   yes
//	User.email      write ann       -          yes  -    yes
//
// so that a change of rights is a line of a diff, and an operation that is new fails the test
// until its line says who may do it.
package accesstest
