package contender

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/go-playground/validator/v10"
	"github.com/labstack/echo/v4"

	"github.com/trove-api/trove/bench/catalog"
)

func newEcho(items []catalog.Item) (http.Handler, error) {
	e := echo.New()
	e.JSONSerializer = strictSerializer{}
	e.Validator = echoValidator{newValidate()}
	h := echoHandlers{store: catalog.NewStore(items)}
	e.GET("/api/items", h.list)
	e.POST("/api/items", h.create)
	e.GET("/api/items/:id", h.get)
	e.PUT("/api/items/:id", h.replace)
	e.PATCH("/api/items/:id", h.patch)
	return e, nil
}

// strictSerializer rejects unknown fields.
type strictSerializer struct{ echo.DefaultJSONSerializer }

// Deserialize decodes the body.
func (strictSerializer) Deserialize(c echo.Context, in any) error {
	decoder := json.NewDecoder(http.MaxBytesReader(c.Response(), c.Request().Body, maxBody))
	decoder.DisallowUnknownFields()
	return decoder.Decode(in)
}

type echoValidator struct{ validate *validator.Validate }

// Validate checks a body.
func (v echoValidator) Validate(in any) error { return v.validate.Struct(in) }

type echoHandlers struct{ store *catalog.Store }

func (h echoHandlers) get(c echo.Context) error {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return c.JSON(http.StatusNotFound, newNotFound())
	}
	item, ok := h.store.Get(id)
	if !ok {
		return c.JSON(http.StatusNotFound, newNotFound())
	}
	return c.JSON(http.StatusOK, item)
}

func (h echoHandlers) list(c echo.Context) error {
	page, err := pageOf(c.QueryParam("page"))
	if err != nil {
		return c.JSON(http.StatusBadRequest, newBadRequest(err))
	}
	items, total := h.store.List(c.QueryParam("name"), page, pageSize)
	c.Response().Header().Set("X-Total-Count", strconv.Itoa(total))
	return c.JSON(http.StatusOK, items)
}

func (h echoHandlers) create(c echo.Context) error {
	var in catalog.Input
	if err := h.read(c, &in); err != nil {
		return c.JSON(http.StatusBadRequest, newBadRequest(err))
	}
	item := h.store.Insert(&in)
	c.Response().Header().Set("Location", catalog.Path(item.ID))
	return c.JSON(http.StatusCreated, item)
}

func (h echoHandlers) replace(c echo.Context) error {
	var replacement catalog.Input
	if err := h.read(c, &replacement); err != nil {
		return c.JSON(http.StatusBadRequest, newBadRequest(err))
	}
	return h.update(c, func(in *catalog.Input) error {
		*in = replacement
		return nil
	})
}

func (h echoHandlers) patch(c echo.Context) error {
	return h.update(c, func(in *catalog.Input) error { return h.read(c, in) })
}

func (h echoHandlers) update(c echo.Context, change func(*catalog.Input) error) error {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return c.JSON(http.StatusNotFound, newNotFound())
	}
	item, ok, err := h.store.Update(id, change)
	switch {
	case err != nil:
		return c.JSON(http.StatusBadRequest, newBadRequest(err))
	case !ok:
		return c.JSON(http.StatusNotFound, newNotFound())
	}
	return c.JSON(http.StatusOK, item)
}

func (echoHandlers) read(c echo.Context, in *catalog.Input) error {
	if err := c.Bind(in); err != nil {
		return err
	}
	return c.Validate(in)
}
