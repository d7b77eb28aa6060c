// Folds responses without success into one line each.

export function responses(system) {
	const { createElement: h, Fragment, useState } = system.React;

	const Folded = ({ Original, ...props }) => {
		const [chosen, setOpen] = useState(undefined);
		const isOpen = chosen ?? props.className === "response_current";
		const Markdown = system.getComponent("Markdown", true);
		const description = props.response.get("description") ?? "";
		return h(Fragment, null,
			h("tr", { className: `response fold ${props.className ?? ""}`, "data-code": props.code },
				h("td", { className: "response-col_status" },
					h("button", { type: "button", "aria-expanded": isOpen, "aria-label": `Response ${props.code}`, onClick: () => setOpen(!isOpen) }, props.code)),
				h("td", { className: "response-col_description", colSpan: 2 }, h(Markdown, { source: description }))),
			isOpen && h(Original, { ...props, className: "unfolded" }));
	};

	return {
		wrapComponents: {
			response: (Original) => (props) => h(/^2/.test(props.code) ? Original : Folded, { ...props, Original }),
		},
	};
}
