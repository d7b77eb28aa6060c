// The dialog in which callers sign in: tokens first, with words on what to enter, and cookies last.
import { signInOperations } from "./cookies.js";

const kinds = {
	bearer: { order: 0, name: "Bearer token", label: "Token" },
	token: { order: 1, name: "Token", label: "Token, with the word before it" },
	key: { order: 2, name: "API key", label: "Key" },
	basic: { order: 3, name: "User name and password" },
	other: { order: 4, name: "" },
	cookie: { order: 5, name: "Cookie", label: "Value of the cookie" },
};

function kindOf(scheme) {
	const type = scheme.get("type");
	if (type === "http") return scheme.get("scheme")?.toLowerCase() === "basic" ? kinds.basic : kinds.bearer;
	if (type !== "apiKey") return kinds.other;
	if (scheme.get("in") === "cookie") return kinds.cookie;
	return scheme.get("name")?.toLowerCase() === "authorization" ? kinds.token : kinds.key;
}

export const signIn = (openapi) => (system) => {
	const { createElement: h, useEffect, useRef, useState } = system.React;

	// Go leads to an operation that signs in.
	const Go = ({ operation }) =>
		h("button", {
			type: "button",
			className: "go",
			onClick: () => {
				system.authActions.showDefinitions(false);
				const key = ["operations", operation.tag, operation.id];
				system.layoutActions.show(key, true);
				setTimeout(() => document.querySelector(`[id$="-${CSS.escape(operation.id)}"]`)?.scrollIntoView({ block: "start" }), 100);
			},
		}, `Go to ${operation.method.toUpperCase()} ${operation.path}`);

	const Field = ({ id, label, type, name, onChange }) =>
		h("div", { className: "credential" }, h("label", { htmlFor: id }, label),
			h("input", { id, name, type, autoComplete: "off", spellCheck: false, onChange }));

	const Fields = ({ name, schema, kind, onAuthChange }) => {
		const [value, setValue] = useState(undefined);
		const change = (next) => {
			setValue(next);
			onAuthChange({ name, schema, value: next });
		};
		if (kind !== kinds.basic) {
			return h(Field, { id: `credential-${name}`, label: kind.label, type: kind === kinds.cookie ? "text" : "password", onChange: (e) => change(e.target.value) });
		}
		const set = (e) => change({ ...value, [e.target.name]: e.target.value });
		return [
			h(Field, { key: "u", id: `credential-${name}-user`, label: "User name", type: "text", name: "username", onChange: set }),
			h(Field, { key: "p", id: `credential-${name}-password`, label: "Password", type: "password", name: "password", onChange: set }),
		];
	};

	const Item = ({ schema, name, authorized, onAuthChange }) => {
		const kind = kindOf(schema);
		const Markdown = system.getComponent("Markdown", true);
		const isIn = Boolean(authorized.get(name));
		const operations = kind === kinds.cookie ? signInOperations(openapi) : [];
		return h("div", { className: "scheme" },
			h("h4", null, h("code", null, name), " ", kind.name),
			schema.get("description") && h(Markdown, { source: schema.get("description") }),
			isIn && h("p", { className: "signed-in" }, "Signed in with these credentials."),
			!isIn && operations.map((one) => h(Go, { key: one.id, operation: one })),
			!isIn && (operations.length === 0
				? h(Fields, { name, schema, kind, onAuthChange })
				: h("details", null, h("summary", null, "Enter a value instead"), h(Fields, { name, schema, kind, onAuthChange }))));
	};

	const Dialog = () => {
		const element = useRef(null);
		const close = () => system.authActions.showDefinitions(false);
		useEffect(() => {
			const opener = document.activeElement;
			element.current.showModal();
			element.current.querySelector("input, .go")?.focus();
			return () => opener?.focus?.();
		}, []);
		const Auths = system.getComponent("auths");
		const definitions = system.authSelectors.shownDefinitions();
		const rest = {
			getComponent: system.getComponent, authSelectors: system.authSelectors, authActions: system.authActions,
			errSelectors: system.errSelectors, specSelectors: system.specSelectors,
		};
		return h("dialog", {
			ref: element, className: "sign-in", "aria-labelledby": "sign-in-heading", onClose: close,
			onClick: (e) => e.target === element.current && close(),
		},
			h("div", { className: "sign-in-head" },
				h("h3", { id: "sign-in-heading" }, "Sign in"),
				h("button", { type: "button", className: "btn close-modal", onClick: close }, "Close")),
			h("p", { className: "kept" }, "Tokens and passwords are kept in this browser tab only, until you close it."),
			definitions.valueSeq().map((one, i) => h(Auths, { key: i, definitions: one, AST: {}, ...rest })).toArray());
	};

	return {
		statePlugins: {
			auth: {
				wrapSelectors: {
					definitionsToAuthorize: (next) => (...args) =>
						next(...args).sortBy((one) => kindOf(one.first()).order),
				},
			},
		},
		wrapComponents: {
			authorizationPopup: () => Dialog,
			AuthItem: (Original) => (props) =>
				h(["http", "apiKey"].includes(props.schema.get("type")) ? Item : Original, props),
		},
	};
};
