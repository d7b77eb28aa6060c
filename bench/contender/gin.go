package contender

import (
	"net/http"
	"reflect"
	"strconv"
	"sync"

	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"
	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/bench/catalog"
)

// setUpGin makes gin quiet and strict, and lets its validator read our tags. These settings apply to the whole process.
var setUpGin = sync.OnceFunc(func() { //nolint:gochecknoglobals // gin's settings are global themselves
	gin.SetMode(gin.ReleaseMode)
	binding.EnableDecoderDisallowUnknownFields = true
	if v, ok := binding.Validator.Engine().(*validator.Validate); ok {
		v.SetTagName("validate")
		v.RegisterTagNameFunc(func(field reflect.StructField) string { return field.Tag.Get("json") })
	}
})

func newGin(items []catalog.Item) (http.Handler, error) {
	setUpGin()
	engine := gin.New()
	h := ginHandlers{store: catalog.NewStore(items)}
	engine.GET("/api/items", h.list)
	engine.POST("/api/items", h.create)
	engine.GET("/api/items/:id", h.get)
	engine.PUT("/api/items/:id", h.replace)
	engine.PATCH("/api/items/:id", h.patch)
	return engine, nil
}

type ginHandlers struct{ store *catalog.Store }

func (h ginHandlers) get(c *gin.Context) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		c.JSON(http.StatusNotFound, newNotFound())
		return
	}
	item, ok := h.store.Get(id)
	if !ok {
		c.JSON(http.StatusNotFound, newNotFound())
		return
	}
	c.JSON(http.StatusOK, item)
}

func (h ginHandlers) list(c *gin.Context) {
	page, err := pageOf(c.Query("page"))
	if err != nil {
		c.JSON(http.StatusBadRequest, newBadRequest(err))
		return
	}
	items, total := h.store.List(c.Query("name"), page, pageSize)
	c.Header("X-Total-Count", strconv.Itoa(total))
	c.JSON(http.StatusOK, items)
}

func (h ginHandlers) create(c *gin.Context) {
	var in catalog.Input
	if err := h.read(c, &in); err != nil {
		c.JSON(http.StatusBadRequest, newBadRequest(err))
		return
	}
	item := h.store.Insert(&in)
	c.Header("Location", catalog.Path(item.ID))
	c.JSON(http.StatusCreated, item)
}

func (h ginHandlers) replace(c *gin.Context) {
	var replacement catalog.Input
	if err := h.read(c, &replacement); err != nil {
		c.JSON(http.StatusBadRequest, newBadRequest(err))
		return
	}
	h.update(c, func(in *catalog.Input) error {
		*in = replacement
		return nil
	})
}

func (h ginHandlers) patch(c *gin.Context) {
	h.update(c, func(in *catalog.Input) error { return h.read(c, in) })
}

func (h ginHandlers) update(c *gin.Context, change func(*catalog.Input) error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		c.JSON(http.StatusNotFound, newNotFound())
		return
	}
	item, ok, err := h.store.Update(id, change)
	switch {
	case err != nil:
		c.JSON(http.StatusBadRequest, newBadRequest(err))
	case !ok:
		c.JSON(http.StatusNotFound, newNotFound())
	default:
		c.JSON(http.StatusOK, item)
	}
}

func (ginHandlers) read(c *gin.Context, in *catalog.Input) error {
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, maxBody)
	return c.ShouldBindJSON(in)
}
