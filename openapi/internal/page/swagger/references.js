// Resolves references within the document. Swagger UI would resolve the whole document with a general library, which
// takes seconds for a large one.

// valueAt returns the part of a document at a local reference, undefined for none.
export function valueAt(openapi, reference) {
	let at = openapi;
	for (const step of reference.slice(2).split("/")) {
		at = at?.[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")];
	}
	return at;
}

// The limits of what unfolds with an operation: references within each other, and all of them. Schemas that refer to one
// another in many ways would otherwise have more copies than memory holds.
const maxDepth = 8;
const maxReferences = 5000;

// resolved returns a copy of a value without references. Where a schema refers to itself, or beyond the limits, its name
// remains.
export function resolved(openapi, value) {
	let left = maxReferences;
	const copy = (value, within) => {
		if (Array.isArray(value)) return value.map((one) => copy(one, within));
		if (value === null || typeof value !== "object") return value;
		const reference = value.$ref;
		if (typeof reference !== "string" || !reference.startsWith("#/")) {
			return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copy(one, within)]));
		}
		const name = reference.slice(reference.lastIndexOf("/") + 1);
		if (within.includes(reference) || within.length >= maxDepth || left-- <= 0) {
			return { title: name, type: "object", description: `See the schema ${name}.` };
		}
		const { $ref, ...siblings } = value;
		const target = copy(valueAt(openapi, reference), [...within, reference]);
		const title = reference.startsWith("#/components/schemas/") ? { title: name } : {};
		return { ...title, ...target, ...copy(siblings, within) };
	};
	return copy(value, []);
}

export const references = (openapi) => () => ({
	fn: {
		resolveSubtree: async (document, path) => ({ spec: resolved(openapi, path.reduce((at, step) => at?.[step], openapi)), errors: [] }),
	},
	statePlugins: {
		spec: {
			wrapActions: {
				parseToJson: () => () => {},
				requestResolvedSubtree: (next, system) => (path) => {
					if (path[0] !== "paths") return next(path);
					const part = path.reduce((at, step) => at?.[step], openapi);
					return system.specActions.updateResolvedSubtree(path, resolved(openapi, part));
				},
			},
		},
	},
});
