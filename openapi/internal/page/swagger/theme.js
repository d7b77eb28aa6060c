// Sets the theme before the first paint, and makes the switch. Without a choice the page follows the system.
(() => {
	const key = "trove-docs-theme";
	const root = document.documentElement;
	const system = matchMedia("(prefers-color-scheme: dark)");
	let chosen = null;
	try {
		chosen = localStorage.getItem(key);
	} catch {
		// Storage is off: the choice lasts as long as the page.
	}
	const isDark = () => (chosen ? chosen === "dark" : system.matches);
	const show = () => {
		root.dataset.theme = isDark() ? "dark" : "light";
		const button = document.getElementById("theme");
		if (button) {
			button.hidden = false;
			button.textContent = isDark() ? "Light" : "Dark";
			button.setAttribute("aria-label", isDark() ? "Use the light theme" : "Use the dark theme");
		}
	};
	show();
	system.addEventListener("change", show);
	document.addEventListener("DOMContentLoaded", () => {
		show();
		document.getElementById("theme").addEventListener("click", () => {
			chosen = isDark() ? "light" : "dark";
			try {
				if ((chosen === "dark") === system.matches) localStorage.removeItem(key);
				else localStorage.setItem(key, chosen);
			} catch {
				// See above.
			}
			show();
		});
	});
})();
