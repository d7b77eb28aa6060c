import { useEffect, useState, type FormEvent } from "react";
import { ApiError, createProduct, listProducts, type Product } from "./api.js";

export function Products() {
  const [products, setProducts] = useState<Product[]>();
  const [errors, setErrors] = useState<Record<string, string>>({});

  useEffect(() => {
    const left = new AbortController();
    listProducts(left.signal).then(setProducts, (error: Error) => left.signal.aborted || setErrors({ form: error.message }));
    return () => left.abort();
  }, []);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const value = (name: string) => String(form.get(name));
    try {
      const product = await createProduct({ sku: value("sku"), name: value("name"), price: value("price") });
      setProducts((before) => [...(before ?? []), product]);
      setErrors({});
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setErrors({ form: error.message, ...error.errors });
    }
  }

  return (
    <form onSubmit={submit}>
      {products ? <ul>{products.map((p) => <li key={p.id}>{p.name}: {p.price}</li>)}</ul> : <p>Loading…</p>}
      {["sku", "name", "price"].map((name) => (
        <label key={name}>
          {name} <input name={name} /> {errors[name]}
        </label>
      ))}
      <button>Add</button> {errors["form"]}
    </form>
  );
}
