// Runs the code of the how-to pages against examples/howto/shop, whose URL is the argument.
import assert from "node:assert/strict";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { ApiError, createProduct, listProducts } from "./api.js";
import { Products } from "./Products.js";

const base = process.argv[2];
const direct = globalThis.fetch;
globalThis.fetch = (input, init) =>
  input instanceof Request
    ? direct(new Request(input.url.replace("http://localhost:8000", String(base)), input))
    : direct(String(input).replace("http://localhost:8000", String(base)), init);

assert.deepEqual((await listProducts()).map((p) => p.name), ["Black tea", "Cup", "Green tea"]);
const made = await createProduct({ sku: "POT-1", name: "Pot", price: "31.50 EUR" });
assert.equal(made.price, "31.50 EUR");
const refused = await createProduct({ sku: "POT-2", name: " ", price: "free" }).catch((error: unknown) => error);
assert(refused instanceof ApiError && refused.status === 400);
assert.deepEqual(refused.errors, { name: "name must not be blank", price: "price must be an amount such as 12.50 EUR" });
assert.match(renderToString(createElement(Products)), /Loading/);
console.log("fetch: list, create, errors by field; the component renders");

const { cheap, rename } = await import("./client.js"); // it takes fetch when it is loaded
assert.deepEqual((await cheap("10.00 EUR")).map((p) => p.price), ["9.00 EUR", "10.00 EUR"]);
assert.equal((await rename(made.id, "Teapot")).name, "Teapot");
console.log("openapi-typescript: filter, sort, patch");
