// How @hey-api/openapi-ts makes its client. DOCUMENT is the document's file.
export default {
  input: process.env.DOCUMENT,
  output: { path: "typescript/generated/hey", importFileExtension: ".js" },
  plugins: ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"],
};
