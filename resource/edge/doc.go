// Package edge has middleware for what stands between clients and an API: which pages of other origins may use it,
// and how often one address may ask.
//
//	resource.Config{Middleware: []func(http.Handler) http.Handler{
//		edge.Origins("https://shop.example"),
//		edge.Rate(6000),              // in a minute, whatever is asked for
//		edge.Rate(100, "/api/login"), // of these, tries to sign in
//	}}
//
// It is a package of its own so that programs which leave both to a proxy do not link it. What counts over several
// instances, or weighs requests, is a middleware of your own.
package edge
