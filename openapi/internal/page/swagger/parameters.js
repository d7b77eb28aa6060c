// Folds the parameters of one field, such as value[gt] and value[lt], into one row.
import { shared } from "./texts.js";

// The groups of parameters by parameter, and the rows that are unfolded.
const groupOf = new WeakMap();
const unfolded = new Set();
const listeners = new Set();

function toggle(key) {
	if (!unfolded.delete(key)) unfolded.add(key);
	for (const listener of listeners) listener();
}

function subscribe(listener) {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

// group finds the parameters in the query whose names have the same field before a bracket.
function group(parameters) {
	const byField = new Map();
	for (const one of parameters) {
		if (one.get("in") !== "query" || one.get("required")) continue;
		const field = one.get("name").replace(/\[.*$/, "");
		byField.set(field, [...(byField.get(field) ?? []), one]);
	}
	for (const [field, members] of byField) {
		if (members.length < 2) continue;
		const { common, rest } = shared(members.map((one) => one.get("description")));
		members.forEach((one, i) => groupOf.set(one, { field, members, common, rest: rest[i] }));
	}
	const first = (one) => groupOf.get(one)?.members[0] ?? one; // a group is where its first parameter is
	const list = parameters.toArray();
	return parameters.sortBy((one) => list.indexOf(first(one)));
}

const operatorOf = (name) => name.match(/\[(.*)\]$/)?.[1] ?? "=";

export function parameters(system) {
	const { createElement: h, Fragment, useSyncExternalStore } = system.React;

	const Head = ({ of, isOpen, onClick, filled }) => {
		const Markdown = system.getComponent("Markdown", true);
		return h("tr", { className: "fold" }, h("td", { colSpan: 2 },
			h("button", { type: "button", "aria-expanded": isOpen, onClick },
				h("span", { className: "fold-name" }, of.field),
				h("span", { className: "fold-operators" }, ...of.members.map((one) => h("code", { key: one.get("name") }, operatorOf(one.get("name"))))),
				filled > 0 && h("span", { className: "fold-filled" }, `${filled} set`)),
			isOpen && of.common !== "" && h(Markdown, { source: of.common })));
	};

	const Folded = ({ Original, of, ...props }) => {
		const key = [...props.pathMethod, of.field].join(" ");
		const isOpen = useSyncExternalStore(subscribe, () => unfolded.has(key));
		const isSet = (one) => Boolean(props.specSelectors.parameterWithMetaByIdentity(props.pathMethod, one)?.get("value"));
		return h(Fragment, null,
			of.members[0] === props.rawParam &&
				h(Head, { of, isOpen, onClick: () => toggle(key), filled: of.members.filter(isSet).length }),
			isOpen && h(Original, { ...props, param: props.param?.set("description", of.rest) }));
	};

	return {
		wrapComponents: {
			parameters: (Original) => (props) => h(Original, { ...props, parameters: group(props.parameters) }),
			// A parameter with JSON in it is text: Swagger UI would ask for a file.
			JsonSchemaForm: (Original) => (props) => h(Original, props.schema?.get?.("contentSchema") ? { ...props, schema: props.schema.delete("contentMediaType") } : props),
			parameterRow: (Original) => (props) => {
				const of = groupOf.get(props.rawParam);
				return of ? h(Folded, { Original, of, ...props }) : h(Original, props);
			},
		},
	};
}
