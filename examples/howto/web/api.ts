const base = "http://localhost:8000/api";

export interface Product {
  id: number;
  sku: string;
  name: string;
  price: string;
}

/** A response with an error status. errors has a message for each invalid field. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly errors: Record<string, string> = {},
  ) {
    super(message);
  }
}

export async function call<T>(method: string, path: string, body?: unknown, init: RequestInit = {}): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json", Authorization: "Bearer staff-token" };
  if (body !== undefined) headers["Content-Type"] = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const response = await fetch(base + path, { ...init, method, headers, body: JSON.stringify(body) });
  const value = response.status === 204 ? undefined : await response.json();
  if (!response.ok) throw new ApiError(response.status, value.detail ?? value.title, value.errors);
  return value as T;
}

export const listProducts = (signal?: AbortSignal) => call<Product[]>("GET", "/products?sort=name", undefined, { signal: signal ?? null });
export const createProduct = (product: Omit<Product, "id">) => call<Product>("POST", "/products", product);
