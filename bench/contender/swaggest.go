package contender

import (
	"context"
	"errors"
	"net/http"

	"github.com/swaggest/openapi-go/openapi3"
	"github.com/swaggest/rest/nethttp"
	"github.com/swaggest/rest/web"
	"github.com/swaggest/usecase"
	"github.com/swaggest/usecase/status"

	"github.com/trove-api/trove/bench/catalog"
)

// newSwaggest returns a service of swaggest/rest. Its pages have no total, because it cannot set a header if the body
// is a list.
func newSwaggest(items []catalog.Item) (http.Handler, error) {
	service := web.NewService(openapi3.NewReflector())
	h := swaggestHandlers{store: catalog.NewStore(items)}
	service.Get("/api/items", usecase.NewInteractor(h.list))
	service.Post("/api/items", usecase.NewInteractor(h.create), nethttp.SuccessStatus(http.StatusCreated))
	service.Get("/api/items/{id}", usecase.NewInteractor(h.get))
	service.Put("/api/items/{id}", usecase.NewInteractor(h.replace))
	service.Patch("/api/items/{id}", usecase.NewInteractor(h.patch))
	return service, nil
}

type swaggestHandlers struct{ store *catalog.Store }

type swaggestID struct {
	ID int64 `path:"id"`
}

func (h swaggestHandlers) get(_ context.Context, in swaggestID, out *catalog.Item) error {
	item, ok := h.store.Get(in.ID)
	if !ok {
		return errSwaggestNotFound()
	}
	*out = *item
	return nil
}

type swaggestQuery struct {
	Page int    `query:"page" default:"1" minimum:"1"`
	Name string `query:"name"`
}

func (h swaggestHandlers) list(_ context.Context, in swaggestQuery, out *[]*catalog.Item) error {
	*out, _ = h.store.List(in.Name, in.Page, pageSize)
	return nil
}

type swaggestCreated struct {
	catalog.Item
	Location string `header:"Location" json:"-"`
}

func (h swaggestHandlers) create(_ context.Context, in catalog.Input, out *swaggestCreated) error {
	item := h.store.Insert(&in)
	out.Item, out.Location = *item, catalog.Path(item.ID)
	return nil
}

type swaggestInput struct {
	_  struct{} `additionalProperties:"false"`
	ID int64    `path:"id"`
	catalog.Input
}

func (h swaggestHandlers) replace(_ context.Context, in swaggestInput, out *catalog.Item) error {
	return h.update(in.ID, func(before *catalog.Input) { *before = in.Input }, out)
}

type swaggestPatch struct {
	_  struct{} `additionalProperties:"false"`
	ID int64    `path:"id"`
	catalog.Patch
}

func (h swaggestHandlers) patch(_ context.Context, in swaggestPatch, out *catalog.Item) error {
	return h.update(in.ID, in.Apply, out)
}

func (h swaggestHandlers) update(id int64, change func(*catalog.Input), out *catalog.Item) error {
	item, ok, err := h.store.Update(id, func(in *catalog.Input) error {
		change(in)
		return nil
	})
	if !ok {
		return errSwaggestNotFound()
	}
	*out = *item
	return err
}

func errSwaggestNotFound() error {
	return status.Wrap(errors.New("there is no such item"), status.NotFound)
}
