// How orval makes its client, and checks by zod. DOCUMENT is the document's file, and OUT the folder.
const input = { target: process.env.DOCUMENT };
const output = (name, client) => ({ target: `${process.env.OUT}/orval/${name}.ts`, client, mode: "single" });
module.exports = { client: { input, output: output("api", "fetch") }, zod: { input, output: output("zod", "zod") } };
