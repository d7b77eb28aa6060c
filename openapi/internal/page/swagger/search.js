// Filters operations by the words of the search box: each must occur in the path, method, id, summary, description or
// tag of an operation.

function matches(operation, tag, words) {
	const of = operation.get("operation");
	const text = [operation.get("method"), operation.get("path"), of.get("operationId"), of.get("summary"), of.get("description"), tag]
		.filter(Boolean)
		.join(" ")
		.toLowerCase();
	return words.every((word) => text.includes(word));
}

export function search(system) {
	const h = system.React.createElement;
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
}

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
