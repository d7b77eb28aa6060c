package contender

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/bench/catalog"
)

// newCeiling returns the fastest service that can be written by hand on chi: an encoder and a decoder for this type
// alone, pooled buffers, no reflection.
func newCeiling(items []catalog.Item) (http.Handler, error) {
	h := &ceiling{store: catalog.NewStore(items)}
	h.buffers.New = func() any { return &buffer{} }
	router := chi.NewRouter()
	router.Get("/api/items", h.list)
	router.Post("/api/items", h.create)
	router.Get("/api/items/{id}", h.get)
	router.Put("/api/items/{id}", h.replace)
	router.Patch("/api/items/{id}", h.patch)
	return router, nil
}

type ceiling struct {
	store   *catalog.Store
	buffers sync.Pool
}

func (h *ceiling) get(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if err != nil {
		h.refuse(w, http.StatusNotFound, nil)
		return
	}
	item, ok := h.store.Get(id)
	if !ok {
		h.refuse(w, http.StatusNotFound, nil)
		return
	}
	h.writeItem(w, http.StatusOK, item)
}

func (h *ceiling) list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	page, err := pageOf(query.Get("page"))
	if err != nil {
		h.refuse(w, http.StatusBadRequest, failed{{"page", err.Error()}})
		return
	}
	items, total := h.store.List(query.Get("name"), page, pageSize)
	w.Header()["X-Total-Count"] = []string{strconv.Itoa(total)}
	b := h.buffer()
	b.text = append(b.text, '[')
	for i, item := range items {
		if i > 0 {
			b.text = append(b.text, ',')
		}
		b.text = appendItem(b.text, item)
	}
	b.text = append(b.text, ']')
	h.send(w, http.StatusOK, b)
}

func (h *ceiling) create(w http.ResponseWriter, r *http.Request) {
	var in catalog.Input
	if broken := h.read(w, r, &in); broken != nil {
		h.refuse(w, http.StatusBadRequest, broken)
		return
	}
	item := h.store.Insert(&in)
	w.Header()["Location"] = []string{catalog.Path(item.ID)}
	h.writeItem(w, http.StatusCreated, item)
}

func (h *ceiling) replace(w http.ResponseWriter, r *http.Request) {
	var replacement catalog.Input
	if broken := h.read(w, r, &replacement); broken != nil {
		h.refuse(w, http.StatusBadRequest, broken)
		return
	}
	h.update(w, r, func(in *catalog.Input) error {
		*in = replacement
		return nil
	})
}

func (h *ceiling) patch(w http.ResponseWriter, r *http.Request) {
	h.update(w, r, func(in *catalog.Input) error {
		if broken := h.read(w, r, in); broken != nil {
			return broken
		}
		return nil
	})
}

func (h *ceiling) update(w http.ResponseWriter, r *http.Request, change func(*catalog.Input) error) {
	id, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if err != nil {
		h.refuse(w, http.StatusNotFound, nil)
		return
	}
	item, ok, err := h.store.Update(id, change)
	switch broken, _ := err.(failed); { //nolint:errorlint // change returns it as it is
	case err != nil:
		h.refuse(w, http.StatusBadRequest, broken)
	case !ok:
		h.refuse(w, http.StatusNotFound, nil)
	default:
		h.writeItem(w, http.StatusOK, item)
	}
}
