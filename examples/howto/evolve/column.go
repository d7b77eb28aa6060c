package evolve

import (
	"context"
	"log/slog"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

// Note is the old struct.
type Note struct {
	ID   int64  `json:"id"`
	Text string `json:"text" validate:"notblank,max=1000" example:"Buy rope."`
}

// NoteWithColor is the new struct: it has one more field, which clients filter by.
type NoteWithColor struct {
	ID    int64  `json:"id"`
	Text  string `json:"text" validate:"notblank,max=1000" example:"Buy rope."`
	Color string `json:"color" validate:"oneof=white yellow red" default:"white" api:"filter"`
}

// Notes declares the old resource.
func Notes(db *sqlstore.DB) resource.Of[Note] {
	return resource.Of[Note]{Store: sqlstore.Table[Note](db)}
}

// NotesWithColor declares the new resource, over the same table and under the same paths.
func NotesWithColor(db *sqlstore.DB) resource.Of[NoteWithColor] {
	return resource.Of[NoteWithColor]{ShortName: "Note", Store: sqlstore.Table[NoteWithColor](db, sqlstore.Named("notes"))}
}

// Migrate changes the tables so that they fit the structs, also while the old program runs. What it leaves is for a person.
func Migrate(ctx context.Context, db *sqlstore.DB, tables ...sqlstore.TableDefiner) error {
	left, err := db.Migrate(ctx, tables...)
	if err == nil && len(left.Steps) > 0 {
		slog.WarnContext(ctx, "the tables differ from the structs", "plan", left.String())
	}
	return err
}
