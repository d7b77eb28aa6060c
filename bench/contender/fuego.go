package contender

import (
	"log/slog"
	"net/http"
	"strconv"

	"github.com/go-fuego/fuego"

	"github.com/trove-api/trove/bench/catalog"
)

// newFuego returns a Fuego server. By default it logs every request and error; here it is quiet, like the others.
func newFuego(items []catalog.Item) (http.Handler, error) {
	s := fuego.NewServer(
		fuego.WithoutStartupMessages(),
		fuego.WithLogHandler(slog.DiscardHandler),
		fuego.WithLoggingMiddleware(fuego.LoggingConfig{DisableRequest: true, DisableResponse: true}),
		fuego.WithMaxBodySize(maxBody),
		fuego.WithValidator(newValidate()),
	)
	h := fuegoHandlers{store: catalog.NewStore(items)}
	fuego.Get(s, "/api/items", h.list, fuego.OptionQueryInt("page", "The page's number"), fuego.OptionQuery("name", "Items of that name"))
	fuego.Post(s, "/api/items", h.create, fuego.OptionDefaultStatusCode(http.StatusCreated))
	fuego.Get(s, "/api/items/{id}", h.get)
	fuego.Put(s, "/api/items/{id}", h.replace)
	fuego.Patch(s, "/api/items/{id}", h.patch)
	return s.Mux, nil
}

type fuegoHandlers struct{ store *catalog.Store }

func (h fuegoHandlers) get(c fuego.ContextNoBody) (*catalog.Item, error) {
	id, err := strconv.ParseInt(c.PathParam("id"), 10, 64)
	if err != nil {
		return nil, errFuegoNotFound()
	}
	item, ok := h.store.Get(id)
	if !ok {
		return nil, errFuegoNotFound()
	}
	return item, nil
}

func (h fuegoHandlers) list(c fuego.ContextNoBody) ([]*catalog.Item, error) {
	page, err := pageOf(c.QueryParam("page"))
	if err != nil {
		return nil, fuego.BadRequestError{Detail: err.Error()}
	}
	items, total := h.store.List(c.QueryParam("name"), page, pageSize)
	c.SetHeader("X-Total-Count", strconv.Itoa(total))
	return items, nil
}

func (h fuegoHandlers) create(c fuego.ContextWithBody[catalog.Input]) (*catalog.Item, error) {
	in, err := c.Body()
	if err != nil {
		return nil, err
	}
	item := h.store.Insert(&in)
	c.SetHeader("Location", catalog.Path(item.ID))
	return item, nil
}

func (h fuegoHandlers) replace(c fuego.ContextWithBody[catalog.Input]) (*catalog.Item, error) {
	in, err := c.Body()
	if err != nil {
		return nil, err
	}
	return h.update(c.PathParam("id"), func(before *catalog.Input) { *before = in })
}

func (h fuegoHandlers) patch(c fuego.ContextWithBody[catalog.Patch]) (*catalog.Item, error) {
	in, err := c.Body()
	if err != nil {
		return nil, err
	}
	return h.update(c.PathParam("id"), in.Apply)
}

func (h fuegoHandlers) update(id string, change func(*catalog.Input)) (*catalog.Item, error) {
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return nil, errFuegoNotFound()
	}
	item, ok, err := h.store.Update(number, func(in *catalog.Input) error {
		change(in)
		return nil
	})
	if !ok {
		return nil, errFuegoNotFound()
	}
	return item, err
}

func errFuegoNotFound() error { return fuego.NotFoundError{Detail: "The item does not exist."} }
