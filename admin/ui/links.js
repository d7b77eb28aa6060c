// What links and images in values of records may lead to.

/** Returns a URL that may become a link, null if it may not. Without a base, it must be absolute. */
export function safeURL(value, base) {
  if (typeof value !== "string" || value.length > 2000) return null;
  try {
    const url = new URL(value, base);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** Returns a URL that may become a link, also to this site. */
export const safeLink = (value) => safeURL(value, location.origin);

const DATA = /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml);base64,[\w+/=]+$/;
const SIGNATURES = { iVBORw0KGgo: "png", "/9j/": "jpeg", R0lGOD: "gif", UklGR: "webp", "PHN2Zy": "svg+xml", "PD94bW": "svg+xml" };

/** Returns the source of an image: on this site, a data URL, or base64. Null for others, which the policy of the page blocks. */
export function safeSource(value) {
  if (typeof value !== "string" || value === "") return null;
  if (value.startsWith("data:")) return DATA.test(value) ? value : null;
  const kind = Object.keys(SIGNATURES).find((one) => value.startsWith(one));
  if (kind && /^[\w+/]+={0,2}$/.test(value)) return `data:image/${SIGNATURES[kind]};base64,${value}`;
  const href = safeLink(value);
  return href && new URL(href).origin === location.origin && /^(https?:|\/)/.test(value) ? href : null;
}
