// Starts Redoc.
const app = document.getElementById("app");

globalThis.Redoc.init(app.dataset.document, {
	hideLoading: true,
	sortRequiredPropsFirst: true,
	theme: {
		typography: {
			fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif',
			headings: { fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif' },
			code: { fontFamily: 'ui-monospace, Menlo, Consolas, "Liberation Mono", monospace' },
		},
	},
}, app);
