// Command go uses the client that oapi-codegen makes of the document of examples/treasure.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/trove-api/trove/clients/go/client"
)

func main() {
	requests := new(counter)
	if err := run(context.Background(), requests, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "clients/go:", err)
		os.Exit(1)
	}
	fmt.Printf("oapi-codegen: %d requests: list, create, get, update, patch, delete\n", requests.requests)
}

// counter sends requests and counts them.
type counter struct{ requests int }

func (c *counter) Do(r *http.Request) (*http.Response, error) {
	c.requests++
	return http.DefaultClient.Do(r)
}

func run(ctx context.Context, requests *counter, base string) error {
	c, err := client.NewClientWithResponses(base, client.WithHTTPClient(requests))
	if err != nil {
		return err
	}
	least, order := int64(1000), []client.ListDragonTreasuresParamsSort{"-value"}
	listed, err := c.ListDragonTreasuresWithResponse(ctx, &client.ListDragonTreasuresParams{ValueGte: &least, Sort: &order})
	if err != nil || listed.JSON200 == nil || len(*listed.JSON200) == 0 || (*listed.JSON200)[0].Value < least {
		return fmt.Errorf("list: %v %s", err, listed.Body)
	}
	value, key := int64(7), "pewter-mug-of-"+base
	created, err := c.CreateDragonTreasureWithResponse(ctx, &client.CreateDragonTreasureParams{IdempotencyKey: &key}, client.DragonTreasureCreate{Name: "Pewter mug", Value: &value})
	if err != nil || created.JSON201 == nil {
		return fmt.Errorf("create: %v", err)
	}
	made := *created.JSON201
	got, err := c.GetDragonTreasureWithResponse(ctx, made.Id, nil)
	if err != nil || got.JSON200 == nil || got.JSON200.Name != "Pewter mug" || got.JSON200.Description != nil {
		return fmt.Errorf("get: %v %s", err, got.Body)
	}
	return change(ctx, c, made, got.HTTPResponse.Header.Get("ETag"))
}

// change updates a treasure as it was seen, patches it and deletes it.
func change(ctx context.Context, c *client.ClientWithResponses, made client.DragonTreasure, seen string) error {
	value, cool := int64(8), int64(3)
	updated, err := c.UpdateDragonTreasureWithResponse(ctx, made.Id, &client.UpdateDragonTreasureParams{IfMatch: &seen}, client.DragonTreasurePatch{Value: &value})
	if err != nil || updated.JSON200 == nil || updated.JSON200.Value != 8 {
		return fmt.Errorf("update: %v", err)
	}
	patched, err := c.PatchDragonTreasureWithApplicationMergePatchPlusJSONBodyWithResponse(ctx, made.Id, nil, client.DragonTreasurePatch{CoolFactor: &cool})
	if err != nil || patched.JSON200 == nil || patched.JSON200.CoolFactor == nil || *patched.JSON200.CoolFactor != 3 {
		return fmt.Errorf("patch: %v", err)
	}
	deleted, err := c.DeleteDragonTreasureWithResponse(ctx, made.Id, nil)
	if err != nil || deleted.StatusCode() != 204 {
		return fmt.Errorf("delete: %v", err)
	}
	return nil
}
