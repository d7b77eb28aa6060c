// Notices that the API knows this page as another caller than before: the session has ended, another person has signed in,
// or the caller has other permissions.
import { get, expectCaller, expected, onOtherCaller, personOf } from "./api.js";
import { parse } from "./json.js";
import { adopt, base, model } from "./model.js";

const channel = new BroadcastChannel(`trove-admin:${base}`);
let text = ""; // of the model

/** Gets the model of the caller as they are now. */
async function current() {
  const { body, caller } = await get(`${base}/model`, { quiet: true, begins: true, text: true });
  return { text: body, caller };
}

function take(next) {
  text = next.text;
  expectCaller(next.caller);
  adopt(parse(next.text));
}

/** Loads the model again. */
export const load = async () => take(await current());

/** Lets the pages in other tabs know that the caller has signed in or out. */
export const announce = () => channel.postMessage("caller");

/** Compares the caller with the one before. Returns "same", "lost" if they are no longer signed in, "other" for another person, or "changed". */
async function compare() {
  const next = await current().catch((error) => {
    if (error.status === 401) return null;
    throw error;
  });
  if (next === null || (model.signedIn && !parse(next.text).signedIn)) return "lost";
  const isOther = personOf(next.caller) !== personOf(expected());
  const isSame = !isOther && next.text === text;
  take(next);
  return isOther ? "other" : isSame ? "same" : "changed";
}

let checking = null;

/** Has react called with what compare returns. Responses for another caller wait until it resolves. */
export function watch(react) {
  const check = () => {
    if (!model) return Promise.resolve();
    checking ??= compare().then(react, () => {}).finally(() => { checking = null; });
    return checking;
  };
  onOtherCaller(check);
  channel.onmessage = () => (checking ? compare().then(react, () => {}) : check()); // they may have signed in again in another tab
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && check());
}
