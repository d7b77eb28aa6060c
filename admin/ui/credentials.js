// Credentials of the caller that are not a cookie. They last as long as the browser tab.
import { tab } from "./storage.js";

const KEY = "trove-admin:credentials";

let current = tab.read(KEY);
if (current?.until && current.until <= Date.now()) current = null;

/** Headers that carry the credentials. */
export function credentials() {
  if (current?.until && current.until <= Date.now()) forget();
  return current ? { [current.header]: current.value } : {};
}

/** Keeps a token until the tab is closed, or for some seconds */
export function keep(header, value, seconds) {
  current = { header, value, until: seconds ? Date.now() + seconds * 1000 : 0 };
  tab.keep(KEY, current);
}

/** Forgets the token. */
export function forget() {
  current = null;
  tab.forget(KEY);
}

/** Returns the header's value of user name and password (RFC 7617). */
export function basic(name, password) {
  const bytes = new TextEncoder().encode(`${name}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}
