// How @hey-api/openapi-ts makes its client, with checks by zod and valibot. DOCUMENT is the document's file, and OUT the folder.
export default {
  input: process.env.DOCUMENT,
  output: { path: `${process.env.OUT}/hey`, importFileExtension: ".js" },
  plugins: ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript", "zod", "valibot"],
};
