// Sign-in with an identity provider: authorization code with PKCE, state and nonce (RFC 7636, RFC 9700).
import { keep } from "./credentials.js";
import { base } from "./model.js";
import { go } from "./router.js";
import { tab } from "./storage.js";

const KEY = "trove-admin:sign-in";

const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const random = () => encode(crypto.getRandomValues(new Uint8Array(32)));
const secure = (url) => {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname)) throw new Error("insecure");
  return url;
};

/** Returns the URLs of a provider. */
async function endpoints(scheme) {
  if (scheme.kind === "oauth2") return { authorization: secure(scheme.authorizationURL), token: secure(scheme.tokenURL) };
  const response = await fetch(secure(scheme.configuration), { credentials: "omit" });
  const found = await response.json();
  // OpenID Connect Discovery 1.0, section 4.3
  if (scheme.configuration !== `${found.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`) throw new Error("issuer");
  return { authorization: secure(found.authorization_endpoint), token: secure(found.token_endpoint), issuer: found.issuer };
}

const redirect = () => location.origin + base;

/** Leaves for the provider. It leads back to the admin. */
export async function begin(scheme) {
  const { authorization, token, issuer } = await endpoints(scheme);
  const kept = { state: random(), nonce: random(), verifier: random(), token, issuer, clientID: scheme.clientID, hash: location.hash };
  if (!tab.keep(KEY, kept)) throw new Error("storage"); // the page that the provider leads back to needs it
  const challenge = encode(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(kept.verifier)));
  const url = new URL(authorization);
  const query = {
    response_type: "code", client_id: scheme.clientID, redirect_uri: redirect(), scope: (scheme.scopes ?? []).join(" "),
    state: kept.state, code_challenge: challenge, code_challenge_method: "S256",
  };
  if (scheme.kind === "oidc") query.nonce = kept.nonce;
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);
  location.assign(url.href);
}

function claims(token) {
  const bytes = atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/"));
  return JSON.parse(bytes);
}

/** Completes a sign-in if the provider has led back here. Reports whether it did; an error says that it failed. */
export async function complete() {
  const query = new URLSearchParams(location.search);
  if (!query.has("state") || !(query.has("code") || query.has("error"))) return false;
  const kept = tab.read(KEY);
  tab.forget(KEY);
  history.replaceState(history.state, "", location.pathname); // the code is of no more use
  go(kept?.hash || "#/", true);
  if (!kept || kept.state !== query.get("state") || !query.has("code")) throw new Error("state");
  if (query.has("iss") && kept.issuer && query.get("iss") !== kept.issuer) throw new Error("issuer");
  const body = new URLSearchParams({
    grant_type: "authorization_code", code: query.get("code"), redirect_uri: redirect(), client_id: kept.clientID, code_verifier: kept.verifier,
  });
  const response = await fetch(kept.token, { method: "POST", body, credentials: "omit", headers: { Accept: "application/json" } });
  const granted = await response.json();
  if (!response.ok || typeof granted.access_token !== "string" || !/^bearer$/i.test(granted.token_type ?? "bearer")) throw new Error("token");
  if (granted.id_token && claims(granted.id_token).nonce !== kept.nonce && kept.issuer) throw new Error("nonce");
  keep("Authorization", `Bearer ${granted.access_token}`, Number(granted.expires_in) || 0);
  return true;
}
