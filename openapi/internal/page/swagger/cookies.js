// Pages cannot set the Cookie header, so a cookie for authentication becomes one of this page. An operation that signs in
// sets it itself.

export const isCookie = (scheme) => scheme?.get("type") === "apiKey" && scheme.get("in") === "cookie";

function set(scheme, value) {
	document.cookie = `${scheme.get("name")}=${value}; path=/; SameSite=Strict${location.protocol === "https:" ? "; Secure" : ""}`;
}

// The value of a cookie that an operation has set. Scripts cannot read it.
export const hidden = "set by the service";

// cookieOf returns what a successful call of an operation does with the cookies: "in" for a sign-in, "out" for a
// sign-out, undefined for neither.
function cookieOf(openapi, path, method) {
	const operation = openapi.paths?.[path]?.[method];
	const sets = Object.entries(operation?.responses ?? {}).some(([code, one]) => code.startsWith("2") && one.headers?.["Set-Cookie"]);
	if (!sets) return undefined;
	return operation.requestBody ? "in" : "out";
}

// requiresSignIn reports whether an operation can be called only with credentials.
function requiresSignIn(openapi, operation) {
	const requirements = operation.security ?? openapi.security ?? [];
	return requirements.length > 0 && requirements.every((one) => Object.keys(one).length > 0);
}

// signInOperations lists the operations that set a cookie for the credentials in their body. An operation that renews a
// session, such as a change of the password, is not one of them.
export function signInOperations(openapi) {
	const list = [];
	for (const [path, operations] of Object.entries(openapi.paths ?? {})) {
		for (const [method, one] of Object.entries(operations)) {
			if (cookieOf(openapi, path, method) !== "in" || requiresSignIn(openapi, one)) continue;
			list.push({ path, method, id: one.operationId, tag: one.tags?.[0] ?? "default" });
		}
	}
	return list;
}

export const cookies = (openapi) => () => ({
	statePlugins: {
		auth: {
			wrapActions: {
				authorize: (next) => (given) => {
					for (const one of Object.values(given)) {
						if (isCookie(one.schema) && one.value !== hidden) set(one.schema, one.value);
					}
					return next(given);
				},
				logout: (next, system) => (names) => {
					for (const name of names) {
						const scheme = system.authSelectors.authorized().getIn([name, "schema"]);
						if (isCookie(scheme)) set(scheme, "; max-age=0");
					}
					return next(names);
				},
			},
		},
		spec: {
			wrapActions: {
				setResponse: (next, system) => (path, method, response) => {
					const change = response.ok === true || (response.status >= 200 && response.status < 300) ? cookieOf(openapi, path, method) : undefined;
					for (const [name, schema] of system.specSelectors.securityDefinitions()?.entrySeq() ?? []) {
						if (!change || !isCookie(schema)) continue;
						if (change === "in") system.authActions.authorize({ [name]: { name, schema, value: hidden } });
						else if (system.authSelectors.authorized().has(name)) system.authActions.logout([name]);
					}
					return next(path, method, response);
				},
			},
		},
	},
});
