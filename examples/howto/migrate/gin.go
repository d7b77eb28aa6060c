package migrate

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"
)

// NewBook is the body of a gin handler.
type NewBook struct {
	Title string `json:"title" binding:"required,max=200"`
	Year  int    `json:"year" binding:"gte=1450"`
}

// Gin is the program before: routes, and handlers that read and write JSON.
func Gin() *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	b := &books{}
	router.POST("/api/books", func(c *gin.Context) {
		var in NewBook
		if err := c.ShouldBindJSON(&in); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		b.last++
		book := Book{ID: b.last, Title: in.Title, Year: in.Year}
		b.all = append(b.all, book)
		c.JSON(http.StatusCreated, book)
	})
	router.GET("/api/books/:id", func(c *gin.Context) {
		id, err := strconv.ParseInt(c.Param("id"), 10, 64)
		b.mu.Lock()
		defer b.mu.Unlock()
		i := slices.IndexFunc(b.all, func(book Book) bool { return book.ID == id })
		if err != nil || i < 0 {
			c.JSON(http.StatusNotFound, gin.H{"error": "book not found"})
			return
		}
		c.JSON(http.StatusOK, b.all[i])
	})
	router.GET("/reports/years", years)
	return router
}

// Years is the response of a report.
type Years struct {
	First int `json:"first"`
}

// years is a handler that stays as it is.
func years(c *gin.Context) { c.JSON(http.StatusOK, Years{1450}) }
