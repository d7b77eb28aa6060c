// Starts Swagger UI with the modules of this page, as plugins.
import { exact, parse } from "./exact.js";
import { information } from "./information.js";
import { giveNames } from "./names.js";
import { keep, restore } from "./keep.js";
import { locks } from "./locks.js";
import { parameters } from "./parameters.js";
import { references } from "./references.js";
import { responses } from "./responses.js";
import { search, connectSearch } from "./search.js";
import { signIn } from "./signin.js";
import { cookies } from "./cookies.js";
import { withoutRepetition } from "./texts.js";

const main = document.getElementById("operations");
const url = new URL(main.dataset.document, location.href);

function fail(text) {
	const message = document.createElement("p");
	message.className = "failure";
	message.setAttribute("role", "alert");
	message.textContent = text;
	main.replaceChildren(message);
}

async function start() {
	const response = await fetch(url);
	if (!response.ok) {
		fail(`The OpenAPI document cannot be loaded: ${response.status} ${response.statusText}`);
		return;
	}
	const openapi = withoutRepetition(parse(await response.text()));
	const ui = globalThis.SwaggerUIBundle({
		domNode: null,
		deepLinking: true,
		defaultModelsExpandDepth: 0,
		displayRequestDuration: true,
		docExpansion: "list",
		filter: true,
		plugins: [references(openapi), information, locks, signIn(openapi), cookies(openapi), keep, parameters, responses, exact, search(openapi)],
		showCommonExtensions: true,
		showExtensions: true,
		tryItOutEnabled: true,
		validatorUrl: null,
		onComplete: () => connectSearch(globalThis.ui),
	});
	globalThis.ui = ui;
	ui.specActions.updateUrl(url.href);
	ui.specActions.updateLoadingStatus("success");
	ui.specActions.updateSpec("The document is not parsed as YAML.");
	ui.specActions.updateJsonSpec(openapi);
	restore(ui);
	main.replaceChildren();
	giveNames(main);
	ui.render(main, "App");
}

start().catch((cause) => fail(`The OpenAPI document cannot be shown: ${cause.message}`));
