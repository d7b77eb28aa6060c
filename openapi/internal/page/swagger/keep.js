// Keeps credentials while the page is loaded again. They are in the session storage: only this browser tab has them, until
// it is closed. A cookie is in the browser anyway, so its value is not kept here.
import { isCookie, hidden } from "./cookies.js";

const key = `trove-docs:${location.pathname}`;
const isKept = (schema) => ["http", "apiKey"].includes(schema?.get("type"));

export function keep(system) {
	const save = () => {
		const kept = {};
		for (const [name, one] of system.authSelectors.authorized().entrySeq()) {
			if (isKept(one.get("schema"))) kept[name] = isCookie(one.get("schema")) ? hidden : one.get("value");
		}
		try {
			if (Object.keys(kept).length > 0) sessionStorage.setItem(key, JSON.stringify(kept));
			else sessionStorage.removeItem(key);
		} catch {
			// Storage is off: the credentials last as long as the page.
		}
	};
	const saving = (next) => (given) => {
		const made = next(given);
		save();
		return made;
	};
	return { statePlugins: { auth: { wrapActions: { authorize: saving, logout: saving } } } };
}

// restore signs in with the kept credentials, where the document still has their scheme.
export function restore(system) {
	let kept = {};
	try {
		kept = JSON.parse(sessionStorage.getItem(key)) ?? {};
	} catch {
		return; // nothing is kept
	}
	for (const [name, schema] of system.specSelectors.securityDefinitions()?.entrySeq() ?? []) {
		if (isKept(schema) && Object.hasOwn(kept, name)) system.authActions.authorize({ [name]: { name, schema, value: kept[name] } });
	}
}
