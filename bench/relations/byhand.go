package relations

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
)

// The statements of a page written by hand. That of tags finds the tags of the same page.
const (
	handTotal = `SELECT COUNT(*) FROM treasures`
	handPage  = `SELECT t.id, t.name, t.description, t.category, t.price, t.quantity, t.available, t.created_at, u.id, u.name, u.email ` +
		`FROM treasures t JOIN users u ON u.id = t.owner ORDER BY t.id LIMIT 30 OFFSET 60`
	handTags = `SELECT l.record, g.id, g.name FROM (SELECT id FROM treasures ORDER BY id LIMIT 30 OFFSET 60) t ` +
		`JOIN treasures_tags l ON l.record = t.id JOIN tags g ON g.id = l.target ORDER BY l.record, l.position`
)

// reader runs one of the statements, and calls a function for each row.
type reader func(ctx context.Context, statement string, row func(scan func(...any) error) error) error

// handTreasure is a treasure as the response shows it.
type handTreasure struct {
	ID          int64        `json:"id"`
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Category    string       `json:"category"`
	Price       int          `json:"price"`
	Quantity    int          `json:"quantity"`
	Available   bool         `json:"available"`
	CreatedAt   time.Time    `json:"createdAt"`
	Owner       string       `json:"owner"`
	Tags        []string     `json:"tags"`
	Embedded    handEmbedded `json:"_embedded"`
}

type handEmbedded struct {
	Owner User  `json:"owner"`
	Tags  []Tag `json:"tags"`
}

// byHand returns a service written for this page alone, with joins and encoding/json.
func byHand(read reader, readTime func(into *time.Time) any) http.Handler {
	router := chi.NewRouter()
	router.Get("/api/treasures", func(w http.ResponseWriter, r *http.Request) {
		total, list, err := handList(r.Context(), read, readTime)
		if err != nil {
			http.Error(w, "failed", http.StatusInternalServerError)
			return
		}
		body, err := json.Marshal(list)
		if err != nil {
			http.Error(w, "failed", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Total-Count", strconv.Itoa(total))
		_, _ = w.Write(body)
	})
	return router
}

func handList(ctx context.Context, read reader, readTime func(into *time.Time) any) (total int, list []*handTreasure, err error) {
	if err := read(ctx, handTotal, func(scan func(...any) error) error { return scan(&total) }); err != nil {
		return 0, nil, err
	}
	list, at := make([]*handTreasure, 0, 30), make(map[int64]*handTreasure, 30)
	err = read(ctx, handPage, func(scan func(...any) error) error {
		t, owner := &handTreasure{Tags: []string{}}, User{}
		err := scan(&t.ID, &t.Name, &t.Description, &t.Category, &t.Price, &t.Quantity, &t.Available, readTime(&t.CreatedAt), &owner.ID, &owner.Name, &owner.Email)
		t.Owner, t.Embedded = "/api/users/"+strconv.FormatInt(owner.ID, 10), handEmbedded{owner, []Tag{}}
		list, at[t.ID] = append(list, t), t
		return err
	})
	if err != nil {
		return 0, nil, err
	}
	err = read(ctx, handTags, func(scan func(...any) error) error {
		var of int64
		var tag Tag
		err := scan(&of, &tag.ID, &tag.Name)
		if t := at[of]; t != nil {
			t.Tags, t.Embedded.Tags = append(t.Tags, "/api/tags/"+strconv.FormatInt(tag.ID, 10)), append(t.Embedded.Tags, tag)
		}
		return err
	})
	return total, list, err
}
