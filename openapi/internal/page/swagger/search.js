// Filters operations by the words of the search box: each must occur in the path, method, id, summary, description or
// tag of an operation. Those that do not must all begin a word in the name and description of one of its parameters.
import { valueAt } from "./references.js";

const textOf = (parts) => parts.filter(Boolean).join(" ").toLowerCase();

// textsOf returns the text of an operation, and those of its parameters.
function textsOf(openapi, path, method, tag) {
	const of = openapi.paths[path][method];
	const parameters = [...(openapi.paths[path].parameters ?? []), ...(of.parameters ?? [])].map((one) => (one.$ref ? valueAt(openapi, one.$ref) : one));
	return {
		own: textOf([method, path, of.operationId, of.summary, of.description, tag]),
		parameters: parameters.map((one) => textOf([one?.name, one?.description])),
	};
}

export const search = (openapi) => (system) => {
	const h = system.React.createElement;
	const texts = new Map();
	const matches = (operation, tag, words) => {
		const [path, method] = [operation.get("path"), operation.get("method")];
		const key = `${method} ${path} ${tag}`;
		if (!texts.has(key)) texts.set(key, textsOf(openapi, path, method, tag));
		const { own, parameters } = texts.get(key);
		const others = words.filter((word) => !own.includes(word));
		const begins = (text, word) => text.split(word).slice(0, -1).some((before) => !/[a-z]$/.test(before));
		return others.length === 0 || parameters.some((text) => others.every((word) => begins(text, word)));
	};
	return {
		fn: {
			opsFilter: (tagged, phrase) => {
				const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
				return tagged
					.map((tag, name) => tag.set("operations", tag.get("operations").filter((one) => matches(one, name, words))))
					.filter((tag) => tag.get("operations").size > 0);
			},
		},
		wrapComponents: {
			FilterContainer: () => () => null, // the page has the search box
			operations: (Original) => (props) => {
				const isEmpty = props.specSelectors.taggedOperations().size === 0;
				return h("section", { "aria-labelledby": "operations-heading" },
					h("h2", { id: "operations-heading" }, "Operations"),
					isEmpty ? h("p", { className: "nothing" }, "No operation matches the search.") : h(Original, props));
			},
		},
	};
};

// connectSearch connects the search box of the page.
export function connectSearch(ui) {
	const box = document.getElementById("search");
	const found = document.getElementById("found");
	let waiting;
	const apply = () => {
		const phrase = box.value.trim();
		ui.layoutActions.updateFilter(phrase === "" ? true : phrase);
		const count = ui.specSelectors.taggedOperations().reduce((sum, tag) => sum + tag.get("operations").size, 0);
		found.textContent = phrase === "" ? "" : `${count} ${count === 1 ? "operation matches" : "operations match"}`;
	};
	box.addEventListener("input", () => {
		clearTimeout(waiting);
		waiting = setTimeout(apply, 120);
	});
	document.addEventListener("keydown", (event) => {
		const typing = /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.isContentEditable;
		if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
			event.preventDefault();
			box.focus();
			box.select();
		}
	});
	if (box.value !== "") apply(); // typed while the page was loading, or restored
}
