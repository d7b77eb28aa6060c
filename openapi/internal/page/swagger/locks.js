// Shows a closed padlock on operations that require signing in, and an open one after that. Operations that everyone
// can call have none. The path is text, because a link inside of the button that unfolds the operation has no use.

const closed = "M5 9V6.5a5 5 0 0 1 10 0V9h.5A1.5 1.5 0 0 1 17 10.5v6a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 16.5v-6A1.5 1.5 0 0 1 4.5 9H5Zm2 0h6V6.5a3 3 0 0 0-6 0V9Z";
const open = "M5 9V6.5a5 5 0 0 1 9.6-2l-1.9.8A3 3 0 0 0 7 6.5V9h8.5a1.5 1.5 0 0 1 1.5 1.5v6a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 16.5v-6A1.5 1.5 0 0 1 4.5 9H5Z";

export function locks(system) {
	const h = system.React.createElement;
	const icon = (signedIn) =>
		h("svg", { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": true, focusable: false }, h("path", { fill: "currentColor", d: signedIn ? open : closed }));
	return {
		wrapComponents: {
			OperationSummary: (Original) => (props) => {
				const security = props.operationProps.get("security");
				const isOpen = security?.some?.((one) => one.size === 0);
				return h(Original, isOpen ? { ...props, operationProps: props.operationProps.set("security", security.clear()) } : props);
			},
			OperationSummaryPath: () => ({ operationProps }) => {
				const path = operationProps.get("path").split("/");
				return h("span", { className: "opblock-summary-path", "data-path": operationProps.get("path"), "data-deprecated": operationProps.get("deprecated") || undefined },
					...path.flatMap((part, i) => (i === 0 ? [part] : [h("wbr", { key: i }), `/${part}`])));
			},
			authorizeOperationBtn: () => ({ isAuthorized, onClick }) => {
				const meaning = isAuthorized ? "Signed in" : "Requires sign-in";
				return h(
					"button",
					{ type: "button", className: `lock ${isAuthorized ? "open" : "closed"}`, title: meaning, "aria-label": meaning, onClick },
					icon(isAuthorized),
				);
			},
			authorizeBtn: () => ({ isAuthorized, showPopup, onClick, getComponent }) =>
				h(
					"div",
					{ className: "auth-wrapper" },
					h(
						"button",
						{ type: "button", className: `btn authorize ${isAuthorized ? "open" : "closed"}`, onClick, "aria-haspopup": "dialog" },
						h("span", null, isAuthorized ? "Signed in" : "Authorize"),
						icon(isAuthorized),
					),
					showPopup && h(getComponent("authorizationPopup", true)),
				),
		},
	};
}
