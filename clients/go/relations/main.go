// Command relations uses the client that oapi-codegen makes of the document of examples/relations: it
// makes a record below another one, and goes from one to the other.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/trove-api/trove/clients/go/client/relations"
)

func main() {
	requests := new(counter)
	if err := run(context.Background(), requests, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "clients/go/relations:", err)
		os.Exit(1)
	}
	fmt.Printf("oapi-codegen: %d requests: create below a record, expand, follow the path, list below, filter\n", requests.requests)
}

// counter sends requests and counts them.
type counter struct{ requests int }

func (c *counter) Do(r *http.Request) (*http.Response, error) {
	c.requests++
	return http.DefaultClient.Do(r)
}

func run(ctx context.Context, requests *counter, base string) error {
	c, err := relations.NewClientWithResponses(base, relations.WithHTTPClient(requests))
	if err != nil {
		return err
	}
	user, err := c.CreateUserWithResponse(ctx, relations.UserCreate{Name: "Ann"})
	if err != nil || user.JSON201 == nil {
		return fmt.Errorf("create: %v", err)
	}
	owner := user.JSON201.Id
	made, err := c.CreateUserTreasureWithResponse(ctx, owner, relations.TreasureCreateBelowOwner{Name: "Ring"})
	if err != nil || made.JSON201 == nil {
		return fmt.Errorf("create below the user: %v", err)
	}
	got, err := c.GetTreasureWithResponse(ctx, made.JSON201.Id, &relations.GetTreasureParams{Expand: &[]relations.GetTreasureParamsExpand{"owner"}})
	if err != nil || got.JSON200 == nil || got.JSON200.UnderscoreEmbedded == nil || got.JSON200.UnderscoreEmbedded.Owner == nil {
		return fmt.Errorf("expand: %v", err)
	}
	if embedded := got.JSON200.UnderscoreEmbedded.Owner; embedded.Id != owner || embedded.Name != "Ann" {
		return fmt.Errorf("expand: the owner is %+v", embedded)
	}
	return follow(ctx, c, base, owner, got.JSON200.Owner)
}

// follow goes to the owner by the address that the treasure has of it, and from there to the treasures.
func follow(ctx context.Context, c *relations.ClientWithResponses, base string, owner int64, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+address, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	user, err := relations.ParseGetUserResponse(answer)
	if err != nil || user.JSON200 == nil || user.JSON200.Id != owner {
		return fmt.Errorf("%s: %v", address, err)
	}
	below, err := c.ListUserTreasuresWithResponse(ctx, owner, nil)
	if err != nil || below.JSON200 == nil || len(*below.JSON200) != 1 {
		return fmt.Errorf("list below the user: %v", err)
	}
	filtered, err := c.ListTreasuresWithResponse(ctx, &relations.ListTreasuresParams{Owner: &[]string{address}})
	if err != nil || filtered.JSON200 == nil || len(*filtered.JSON200) != 1 {
		return fmt.Errorf("filter: %v", err)
	}
	return nil
}
