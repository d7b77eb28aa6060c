// Removes from a document what ogen 1.24.0 cannot generate, and prints the rest: node ogen.mjs DOCUMENT.
import { readFileSync } from "node:fs";

const document = JSON.parse(readFileSync(process.argv[2], "utf8"));

function each(node, change) {
  if (node === null || typeof node !== "object") return;
  change(node);
  for (const inner of Object.values(node)) each(inner, change);
}

each(document, (node) => {
  if (node.content) {
    // Fields whose names in Go are the same: @id and id ("conflict: field already defined").
    delete node.content["application/ld+json"];
    // Objects that a value tells apart, such as those in included ("type-based discrimination with same jxType").
    delete node.content["application/vnd.api+json"];
    // The same: validation errors and other problems (https://github.com/ogen-go/ogen/issues/491).
    const problem = node.content["application/problem+json"];
    if (problem?.schema?.oneOf || problem?.schema?.anyOf) problem.schema = {};
  }
  // References to the type itself that can be null: it resolves allOf without an end ("schema depth limit exceeded").
  if (node.properties?.tree) {
    delete node.properties.tree;
    node.required = node.required?.filter((name) => name !== "tree");
  }
});

// The operations whose bodies are JSON:API only.
for (const item of Object.values(document.paths)) {
  for (const [method, operation] of Object.entries(item)) {
    if (operation.requestBody?.content && Object.keys(operation.requestBody.content).length === 0) delete item[method];
  }
}
console.log(JSON.stringify(document));
