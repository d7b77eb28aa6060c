// Gives names to the controls of Swagger UI that have none, so that screen readers can read them.

const fixes = [
	["#servers", (e) => e.setAttribute("aria-label", "Server")],
	["tr[data-param-name] :is(input, select, textarea)", (e) => e.setAttribute("aria-label", e.closest("tr").dataset.paramName)],
	[".body-param textarea", (e) => e.setAttribute("aria-label", "Request body")],
	[".copy-to-clipboard button", (e) => e.setAttribute("aria-label", "Copy")],
	["pre.microlight", (e) => e.setAttribute("tabindex", "0")],
	["table[role='region']", (e) => e.removeAttribute("role")], // it stays a table
	[".auth-btn-wrapper [aria-label]", (e) => e.removeAttribute("aria-label")], // its text is better
];

const done = new WeakSet();

function fix(root) {
	for (const [selector, apply] of fixes) {
		for (const element of root.querySelectorAll(selector)) {
			if (!done.has(element)) apply(element);
			done.add(element);
		}
	}
}

// giveNames gives names to controls as they appear.
export function giveNames(root) {
	let waiting = false;
	new MutationObserver(() => {
		if (waiting) return;
		waiting = true;
		requestAnimationFrame(() => {
			waiting = false;
			fix(root);
		});
	}).observe(root, { childList: true, subtree: true });
	fix(root);
}
