// Starts Scalar, without the parts that request something from other hosts.
const app = document.getElementById("app");

globalThis.Scalar.createApiReference(app, {
	url: app.dataset.document,
	agent: { disabled: true },
	hideClientButton: true,
	mcp: { disabled: true },
	proxyUrl: "",
	showDeveloperTools: "never",
	telemetry: false,
	withDefaultFonts: false,
});
