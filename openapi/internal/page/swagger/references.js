// Resolves references within the document. Swagger UI would resolve the whole document with a general library, which
// takes seconds for a large one.

// valueAt returns the part of a document at a local reference, undefined for none.
function valueAt(openapi, reference) {
	let at = openapi;
	for (const step of reference.slice(2).split("/")) {
		at = at?.[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")];
	}
	return at;
}

// resolved returns a copy of a value without references. Where a schema refers to itself, its name remains.
export function resolved(openapi, value, within = []) {
	if (Array.isArray(value)) return value.map((one) => resolved(openapi, one, within));
	if (value === null || typeof value !== "object") return value;
	const reference = value.$ref;
	if (typeof reference === "string" && reference.startsWith("#/")) {
		const name = reference.slice(reference.lastIndexOf("/") + 1);
		const isSchema = reference.startsWith("#/components/schemas/");
		if (within.includes(reference)) return { title: name, type: "object", description: `${name} again.` };
		const target = resolved(openapi, valueAt(openapi, reference), [...within, reference]);
		const { $ref, ...siblings } = value;
		return { ...(isSchema ? { title: name } : {}), ...target, ...resolved(openapi, siblings, within) };
	}
	const copy = {};
	for (const [name, one] of Object.entries(value)) copy[name] = resolved(openapi, one, within);
	return copy;
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
