// Removes sentences that repeat what is next to them.

// plain returns the words of a sentence without the endings and marks that differ between a summary and a description.
function plain(sentence) {
	const words = sentence.toLowerCase().replaceAll(/[.`*]/g, "").trim().split(/\s+/);
	words[0] = words[0].replace(/(ch|sh|ss|x)es$/, "$1").replace(/ies$/, "y").replace(/(?<=[^s])s$/, "");
	return words.join(" ");
}

// sentences splits a text.
function sentences(text) {
	return text.split(/(?<=[.!?])\s+(?=[A-Z`])/).filter((one) => one !== "");
}

// withoutRepetition removes the first sentence of each description that only repeats the summary.
export function withoutRepetition(openapi) {
	for (const path of Object.values(openapi.paths ?? {})) {
		for (const operation of Object.values(path)) {
			if (typeof operation?.summary !== "string" || typeof operation.description !== "string") continue;
			const [first] = operation.description.split(/(?<=\.)(?:\s+|$)/);
			if (plain(first) === plain(operation.summary)) {
				operation.description = operation.description.slice(first.length).trim();
			}
		}
	}
	return openapi;
}

// shared returns the sentences that all texts have, and the texts without them.
export function shared(texts) {
	const split = texts.map((text) => sentences(text ?? ""));
	const common = (split[0] ?? []).filter((one) => split.every((list) => list.includes(one)));
	return { common: common.join(" "), rest: split.map((list) => list.filter((one) => !common.includes(one)).join(" ")) };
}
