// Shows integers beyond 2^53 as they were written. JavaScript rounds them.

// What JavaScript writes for the integers of the document that it rounds, and how they are written there. An entry is
// null if two of them are rounded to the same.
const written = new Map();

// parse returns a document, and remembers the integers in it that are rounded.
export function parse(text) {
	if (!/\d{16}/.test(text)) return JSON.parse(text);
	return JSON.parse(text, (_, value, context) => { // older browsers have no context
		const source = context?.source ?? "";
		if (typeof value === "number" && /^-?\d+$/.test(source) && source !== String(value)) {
			const known = written.get(String(value));
			written.set(String(value), known === undefined || known === source ? source : null);
		}
		return value;
	});
}

// exactly replaces rounded integers of the document in a text.
const exactly = (text) => text.replace(/(?<![\w.])-?\d{16,}(?![\w.])/g, (number) => written.get(number) ?? number);

// pretty indents JSON without a change to its values. It throws an error if the text is not JSON.
export function pretty(text) {
	JSON.parse(text);
	const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g);
	let depth = 0;
	const line = () => `\n${"  ".repeat(depth)}`;
	return tokens.map((token, i) => {
		if (token === "{" || token === "[") {
			depth++;
			return /[}\]]/.test(tokens[i + 1][0]) ? token : token + line();
		}
		if (token === "}" || token === "]") {
			depth--;
			return /^[{[]$/.test(tokens[i - 1]) ? token : line() + token;
		}
		if (token === ",") return token + line();
		return token === ":" ? ": " : token;
	}).join("");
}

export function exact(system) {
	const h = system.React.createElement;
	const valueOf = (value) => (typeof value === "number" && written.get(String(value)) ? BigInt(written.get(String(value))) : value);
	return {
		afterLoad() {
			const sample = this.fn.getSampleSchema;
			this.fn.getSampleSchema = (...given) => {
				const made = sample(...given);
				return typeof made === "string" ? exactly(made) : made;
			};
		},
		wrapComponents: {
			JSONSchema202012JSONViewer: (Original) => (props) => h(Original, { ...props, value: valueOf(props.value) }),
			JSONSchema202012KeywordConstraint: (Original) => ({ constraint }) => h(Original, { constraint: { ...constraint, value: exactly(String(constraint?.value)) } }),
			responseBody: (Original) => (props) => {
				let body;
				try {
					body = /json/i.test(props.contentType) && pretty(props.content);
				} catch {
					// The original says that it is not JSON.
				}
				if (!body) return h(Original, props);
				return h("div", null, h("h5", null, "Response body"),
					h(system.getComponent("HighlightCode", true), { language: "json", downloadable: true, canCopy: true, fileName: "response.json" }, body));
			},
		},
	};
}
