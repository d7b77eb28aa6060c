// Package evolve changes the fields of resources, and runs several instances of them, without downtime. It is the code
// of the how-to pages about new and renamed fields and about many instances.
package evolve

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// Article had a title, which is now called headline. The column keeps its name, so old and new programs share the table.
type Article struct {
	ID       int64  `json:"id"`
	Headline string `json:"headline" db:"title" validate:"notblank,max=200" api:"filter=partial,sort" example:"Gold found"`
}

// ArticleBody is what clients send: the headline under its new name, its old one, or both.
type ArticleBody struct {
	Headline string `json:"headline" validate:"required_without=Title,omitempty,notblank,max=200" example:"Gold found"`
	Title    string `json:"title" validate:"omitempty,notblank,max=200" doc:"Deprecated: send headline." example:"Gold found"`
}

// Articles accepts and returns both names until all clients know the new one.
func Articles(articles store.Store[Article]) resource.Of[Article] {
	return resource.Of[Article]{
		Store: articles,
		Input: operation.InputOf(
			func(a *Article) ArticleBody { return ArticleBody{a.Headline, a.Headline} },
			applyBody),
		Computed: []operation.Computed{operation.Compute("title", "Deprecated: read headline.",
			func(_ context.Context, a *Article) (string, error) { return a.Headline, nil })},
	}
}

// applyBody takes the name that the client has changed.
func applyBody(_ context.Context, in ArticleBody, a *Article) error {
	switch {
	case in.Title == a.Headline || in.Title == in.Headline: // the new name alone, or both alike
		a.Headline = in.Headline
	case in.Headline == a.Headline: // the old name alone
		a.Headline = in.Title
	default:
		return validation.Fail("title", "title must equal headline")
	}
	return nil
}

// OldParameters lets clients still filter by the old name.
func OldParameters(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if values, ok := query["title"]; ok {
			query.Del("title")
			query["headline"] = values
			r.URL.RawQuery = query.Encode()
		}
		next.ServeHTTP(w, r)
	})
}
