// Package middleware is for APIs that clients reach without a proxy. [Origins] allows pages of other origins (CORS), and
// [Rate] limits how often a client may send requests.
//
//	resource.Config{
//		Middleware: []func(http.Handler) http.Handler{
//			middleware.Origins("https://shop.example"),
//			middleware.Rate(6000), // requests per minute to any path
//		},
//		Around: []resource.Around{
//			{Operations: []string{"loginSession"}, Middleware: middleware.Rate(100)}, // sign-ins per minute
//		},
//	}
//
// It is a separate package, so that programs behind a proxy do not link it. Several instances count together with
// [Shared]. To weight requests, write your own middleware.
package middleware
