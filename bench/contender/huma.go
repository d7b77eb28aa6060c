package contender

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/bench/catalog"
)

// newHuma returns a Huma API on chi. It omits the links to schemas that Huma adds to bodies by default, so that its
// responses equal those of the others.
func newHuma(items []catalog.Item) (http.Handler, error) {
	router := chi.NewRouter()
	config := huma.DefaultConfig("Items", "1.0.0")
	config.CreateHooks = nil
	api := humachi.New(router, config)
	h := humaHandlers{store: catalog.NewStore(items)}
	huma.Get(api, "/api/items", h.list)
	huma.Post(api, "/api/items", h.create, func(o *huma.Operation) { o.DefaultStatus = http.StatusCreated })
	huma.Get(api, "/api/items/{id}", h.get)
	huma.Put(api, "/api/items/{id}", h.replace)
	huma.Patch(api, "/api/items/{id}", h.patch)
	return router, nil
}

type humaHandlers struct{ store *catalog.Store }

type humaItem struct{ Body *catalog.Item }

func (h humaHandlers) get(_ context.Context, in *struct {
	ID int64 `path:"id"`
},
) (*humaItem, error) {
	item, ok := h.store.Get(in.ID)
	if !ok {
		return nil, errHumaNotFound()
	}
	return &humaItem{Body: item}, nil
}

type humaPage struct {
	Total int `header:"X-Total-Count"`
	Body  []*catalog.Item
}

func (h humaHandlers) list(_ context.Context, in *struct {
	Name string `query:"name"`
	Page int    `query:"page" minimum:"1" default:"1"`
},
) (*humaPage, error) {
	items, total := h.store.List(in.Name, in.Page, pageSize)
	return &humaPage{Total: total, Body: items}, nil
}

type humaCreated struct {
	Location string `header:"Location"`
	Body     *catalog.Item
}

func (h humaHandlers) create(_ context.Context, in *struct{ Body catalog.Input }) (*humaCreated, error) {
	item := h.store.Insert(&in.Body)
	return &humaCreated{Location: catalog.Path(item.ID), Body: item}, nil
}

func (h humaHandlers) replace(_ context.Context, in *struct {
	ID   int64 `path:"id"`
	Body catalog.Input
},
) (*humaItem, error) {
	return h.update(in.ID, func(before *catalog.Input) { *before = in.Body })
}

func (h humaHandlers) patch(_ context.Context, in *struct {
	ID   int64 `path:"id"`
	Body catalog.Patch
},
) (*humaItem, error) {
	return h.update(in.ID, in.Body.Apply)
}

func (h humaHandlers) update(id int64, change func(*catalog.Input)) (*humaItem, error) {
	item, ok, err := h.store.Update(id, func(in *catalog.Input) error {
		change(in)
		return nil
	})
	if !ok {
		return nil, errHumaNotFound()
	}
	return &humaItem{Body: item}, err
}

func errHumaNotFound() error { return huma.Error404NotFound("The item does not exist.") }
