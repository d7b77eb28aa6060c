// Shows the description, contact and license of the API. The page itself has the title.

// web returns a URL that a link may have, undefined for others.
function web(url) {
	if (typeof url !== "string") return undefined;
	try {
		return ["http:", "https:", "mailto:"].includes(new URL(url, location.href).protocol) ? url : undefined;
	} catch {
		return undefined;
	}
}

export function information(system) {
	const h = system.React.createElement;
	const link = (url, text) => (web(url) ? h("a", { href: url, rel: "noopener noreferrer" }, text) : h("span", null, text));
	const Information = () => {
		const info = system.specSelectors.info().toJS();
		const docs = system.specSelectors.externalDocs()?.toJS() ?? {};
		const Markdown = system.getComponent("Markdown", true);
		const { contact, license } = info;
		const facts = [
			contact && link(contact.url ?? (contact.email && `mailto:${contact.email}`), contact.name ?? contact.url ?? contact.email),
			license && link(license.url, `License: ${license.name ?? ""}`),
			info.termsOfService && link(info.termsOfService, "Terms of service"),
			docs.url && link(docs.url, docs.description ?? docs.url),
		].filter(Boolean);
		return h("section", { className: "information", "aria-label": "About this API" },
			info.summary && h("p", { className: "summary" }, info.summary),
			info.description && h(Markdown, { source: info.description }),
			facts.length > 0 && h("ul", { className: "facts" }, ...facts.map((fact, i) => h("li", { key: i }, fact))));
	};
	return { wrapComponents: { info: () => Information, OAS31Info: () => Information } };
}
