package contender

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/bench/catalog"
)

// handlers are the handlers written by hand for net/http, for the reference and for ServeMux.
type handlers struct {
	store    *catalog.Store
	validate *validator.Validate
	hook     func(ctx context.Context, id, name, category string) error // nil for none
}

func newHandlers(items []catalog.Item) *handlers {
	return &handlers{store: catalog.NewStore(items), validate: newValidate()}
}

func (h *handlers) get(w http.ResponseWriter, r *http.Request) {
	item, ok := h.find(r)
	if !ok {
		notFound(w)
		return
	}
	writeJSON(w, http.StatusOK, item)
}

func (h *handlers) list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	page, err := pageOf(query.Get("page"))
	if err != nil {
		badRequest(w, err)
		return
	}
	items, total := h.store.List(query.Get("name"), page, pageSize)
	w.Header().Set("X-Total-Count", strconv.Itoa(total))
	writeJSON(w, http.StatusOK, items)
}

func (h *handlers) create(w http.ResponseWriter, r *http.Request) {
	var in catalog.Input
	if err := h.read(w, r, &in); err != nil {
		badRequest(w, err)
		return
	}
	item := h.store.Insert(&in)
	w.Header().Set("Location", catalog.Path(item.ID))
	writeJSON(w, http.StatusCreated, item)
}

func (h *handlers) replace(w http.ResponseWriter, r *http.Request) {
	var replacement catalog.Input
	if err := h.read(w, r, &replacement); err != nil {
		badRequest(w, err)
		return
	}
	h.update(w, r, func(in *catalog.Input) error {
		*in = replacement
		return nil
	})
}

func (h *handlers) patch(w http.ResponseWriter, r *http.Request) {
	h.update(w, r, func(in *catalog.Input) error { return h.read(w, r, in) })
}

func (h *handlers) update(w http.ResponseWriter, r *http.Request, change func(*catalog.Input) error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		notFound(w)
		return
	}
	item, ok, err := h.store.Update(id, change)
	switch {
	case err != nil:
		badRequest(w, err)
	case !ok:
		notFound(w)
	default:
		writeJSON(w, http.StatusOK, item)
	}
}

func (h *handlers) find(r *http.Request) (*catalog.Item, bool) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return nil, false
	}
	return h.store.Get(id)
}

// pageSize is the number of items in a page.
const pageSize = 30

var errPage = errors.New("page must be a number from 1")

// pageOf reads the number of a page. Default: 1.
func pageOf(text string) (int, error) {
	if text == "" {
		return 1, nil
	}
	page, err := strconv.Atoi(text)
	if err != nil || page < 1 {
		return 0, errPage
	}
	return page, nil
}
