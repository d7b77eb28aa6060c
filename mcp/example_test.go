package mcp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/resource"
)

type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank,max=200"`
	Year  int    `json:"year" validate:"gte=1450,lte=2100" api:"filter=range"`
}

// Operations are tools, at /mcp of the same server.
func ExampleMount() {
	api, err := resource.New(resource.Config{}, resource.Of[Book]{Description: "A book on sale."})
	if err == nil {
		err = mcp.Mount(api, mcp.Config{Name: "Bookshop", Without: []string{"deleteBook"}})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(api)
	defer server.Close()

	ctx := context.Background()
	agent, err := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil).Connect(ctx,
		&sdk.StreamableClientTransport{Endpoint: server.URL + "/mcp", HTTPClient: http.DefaultClient}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = agent.Close() }()
	for tool, err := range agent.Tools(ctx, nil) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(tool.Name, "-", tool.Title)
	}
	for _, call := range []*sdk.CallToolParams{
		{Name: "createBook", Arguments: map[string]any{"title": "Dune", "year": 1965}},
		{Name: "createBook", Arguments: map[string]any{"title": " ", "year": 3000}},
		{Name: "listBooks", Arguments: map[string]any{"year_lt": 2000}},
	} {
		result, err := agent.CallTool(ctx, call)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(result.IsError, result.Content[0].(*sdk.TextContent).Text)
	}

	// Output:
	// createBook - Create a book
	// getBook - Get a book
	// listBooks - List books
	// patchBook - Patch a book
	// updateBook - Update a book
	// false {"id":1,"title":"Dune","year":1965}
	// true {"type":"validation_error","title":"There was a validation error","errors":{"title":"title must not be blank","year":"year must be at most 2100"}}
	// false {"items":[{"id":1,"title":"Dune","year":1965}]}
}
