package main

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

const maxReceipt = 10 << 20 // bytes

// order returns the order in the path, if it belongs to the caller. Other orders do not exist for them.
func (a *app) order(r *http.Request) (*Order, error) {
	user, _ := operation.PrincipalAs[*User](r.Context())
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return nil, store.ErrNotFound
	}
	order, err := a.orders.Get(r.Context(), id)
	if err == nil && order.Owner != user.Name {
		return nil, store.ErrNotFound
	}
	return order, err
}

func (a *app) putReceipt(w http.ResponseWriter, r *http.Request) {
	order, err := a.order(r)
	if err == nil {
		err = a.saveReceipt(nameOf(order), http.MaxBytesReader(w, r.Body, maxReceipt))
	}
	if err != nil {
		fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// saveReceipt writes to another file first, so that no one reads half a receipt.
func (a *app) saveReceipt(name string, body io.Reader) error {
	part := name + "." + rand.Text()
	file, err := a.receipts.Create(part)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, body)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, a.receipts.Remove(part))
	}
	return a.receipts.Rename(part, name)
}

func (a *app) getReceipt(w http.ResponseWriter, r *http.Request) {
	order, err := a.order(r)
	if err != nil {
		fail(w, r, err)
		return
	}
	file, err := a.receipts.Open(nameOf(order))
	if err != nil {
		fail(w, r, err)
		return
	}
	defer func() { _ = file.Close() }()
	// A download, of no type: a browser never runs what a user has sent.
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="receipt"`)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, file) // ranges too
}

func nameOf(o *Order) string { return "order-" + strconv.FormatInt(o.ID, 10) }

func fail(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusInternalServerError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, store.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		status = http.StatusNotFound
	case errors.As(err, &tooLarge):
		status = http.StatusRequestEntityTooLarge
	}
	resource.WriteError(w, r, operation.Error{Status: status})
}
