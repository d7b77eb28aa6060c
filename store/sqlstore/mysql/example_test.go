package mysql_test //nolint:testableexamples // it needs a server

import (
	"context"
	"log"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/mysql"
)

type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title" api:"filter=partial,sort"`
}

func ExampleOpen() {
	ctx := context.Background()
	db, err := mysql.Open(ctx, "mysql://trove:secret@localhost:3306/books")
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
