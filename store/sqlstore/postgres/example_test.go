package postgres_test

import (
	"context"
	"log"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
)

type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title" api:"filter=partial,sort"`
}

func ExampleOpen() { //nolint:testableexamples // it needs a server
	ctx := context.Background()
	db, err := postgres.Open(ctx, "postgres://trove:secret@localhost:5432/books")
	if err != nil {
		log.Println(err)
		return
	}
	defer func() { _ = db.Close() }()

	books := sqlstore.Table[Book](db)
	if err := db.Create(ctx, books); err != nil { // or run the statements of sqlstore.DDL in a migration
		log.Println(err)
		return
	}
	api, err := resource.New(resource.Config{}, resource.Of[Book]{Store: books})
	log.Println(api, err)
}

func ExampleReplicas() { //nolint:testableexamples // it needs servers
	ctx := context.Background()
	primary := "postgres://trove:secret@primary:5432/books"
	first, second := "postgres://trove:secret@standby1:5432/books", "postgres://trove:secret@standby2:5432/books"
	db, err := postgres.Open(ctx, primary, postgres.Replicas(first, second))
	if err != nil {
		log.Println(err)
		return
	}
	defer func() { _ = db.Close() }()
}
