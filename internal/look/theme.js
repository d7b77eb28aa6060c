// Sets the theme before the first paint, and makes the switch <theme-switch labels="system|light|dark">. Without a choice
// the page follows the system. All pages of an origin have the same choice, also those in other tabs.
(() => {
	const key = "trove-theme";
	const names = ["system", "light", "dark"];
	const icons = [
		"M3 4.5h14v9H3zM7.5 16.5h5M10 13.5v3",
		"M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M15.7 4.3l-1.1 1.1M5.4 14.6l-1.1 1.1",
		"M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7Z",
	];
	const root = document.documentElement;
	const system = matchMedia("(prefers-color-scheme: dark)");
	const svg = (name, attributes) => {
		const made = document.createElementNS("http://www.w3.org/2000/svg", name);
		for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
		return made;
	};

	let chosen = "system";
	const read = () => {
		try {
			const kept = localStorage.getItem(key);
			chosen = names.includes(kept) ? kept : "system";
		} catch {
			// Storage is off: the choice lasts as long as the page.
		}
	};
	const show = () => {
		root.dataset.theme = chosen === "system" ? (system.matches ? "dark" : "light") : chosen;
		for (const one of document.querySelectorAll("theme-switch")) one.show();
	};
	const choose = () => {
		chosen = names[(names.indexOf(chosen) + 1) % names.length];
		try {
			if (chosen === "system") localStorage.removeItem(key);
			else localStorage.setItem(key, chosen);
		} catch {
			// See above.
		}
		show();
	};
	const again = () => {
		read();
		show();
	};

	read();
	show();
	system.addEventListener("change", show);
	addEventListener("storage", again);
	addEventListener("pageshow", (event) => event.persisted && again()); // from the cache of Back and Forward

	customElements.define("theme-switch", class extends HTMLElement {
		static observedAttributes = ["labels"];

		connectedCallback() {
			const button = document.createElement("button");
			button.type = "button";
			button.addEventListener("click", choose);
			const icon = svg("svg", { viewBox: "0 0 20 20", width: 18, height: 18, fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" });
			icon.append(svg("path", {}));
			button.append(icon);
			this.replaceChildren(button);
			this.show();
		}

		attributeChangedCallback() {
			this.show();
		}

		show() {
			const button = this.firstElementChild;
			if (!button) return;
			const at = names.indexOf(chosen);
			button.title = (this.getAttribute("labels") ?? "Theme: system|Theme: light|Theme: dark").split("|")[at];
			button.setAttribute("aria-label", button.title);
			button.querySelector("path").setAttribute("d", icons[at]);
		}
	});
})();
