import createClient from "openapi-fetch";
import type { components, paths } from "./generated/schema.d.ts";

export type Product = components["schemas"]["Product"];

const client = createClient<paths, "application/json" | "application/problem+json">({
  baseUrl: "http://localhost:8000",
  headers: { Authorization: "Bearer staff-token" },
});

/** Returns the products that cost at most so much, cheapest first. */
export async function cheap(price: string): Promise<Product[]> {
  const { data, error, response } = await client.GET("/api/products", {
    params: { query: { "price[lte]": price, sort: ["price"] } },
  });
  if (error) throw new Error(`${response.status}: ${error.title}`);
  return data;
}

/** Changes the name of a product, unless another client has changed the product meanwhile. */
export async function rename(id: number, name: string): Promise<Product> {
  const at = { params: { path: { id } } };
  const read = await client.GET("/api/products/{id}", at);
  const { data, error, response } = await client.PATCH("/api/products/{id}", {
    ...at,
    body: { name },
    headers: { "Content-Type": "application/merge-patch+json", "If-Match": read.response.headers.get("ETag") },
  });
  if (error) throw new Error(`${response.status}: ${error.title}`);
  return data;
}
