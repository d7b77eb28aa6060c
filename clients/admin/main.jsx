// The admin of a Trove API, described by Hydra or, with ?by=openapi, by OpenAPI.
import { createRoot } from "react-dom/client";
import { HydraAdmin, OpenApiAdmin, hydraSchemaAnalyzer, openApiSchemaAnalyzer } from "@api-platform/admin";
import { parseHydraDocumentation } from "@api-platform/api-doc-parser";
import { parseOpenApi } from "./openapi.js";
import { provider } from "./provider.js";

const page = new URLSearchParams(location.search);
const entrypoint = page.get("api") ?? "http://127.0.0.1:8000/api";
const byOpenAPI = page.get("by") === "openapi";

const headers = () => {
  const token = sessionStorage.getItem("token");
  return new Headers(token ? { Authorization: `Bearer ${token}` } : {});
};

// The password is the token. Public operations reject an invalid one too.
const authProvider = {
  login: async ({ password }) => {
    const { ok } = await fetch(`${entrypoint}/dragon_treasures?itemsPerPage=1`, { headers: { Authorization: `Bearer ${password}` } });
    if (!ok) throw new Error("Unknown token.");
    sessionStorage.setItem("token", password);
  },
  logout: async () => sessionStorage.removeItem("token"),
  checkAuth: async () => { if (!sessionStorage.getItem("token")) throw new Error("Sign in."); },
  checkError: async ({ status }) => { if (status === 401) throw new Error("Sign in again."); },
  getPermissions: async () => {},
};

// The first of these fields that a record has is its title.
const titles = ["name", "username", "title"];
const analyzer = byOpenAPI ? openApiSchemaAnalyzer() : hydraSchemaAnalyzer();
const schemaAnalyzer = {
  ...analyzer,
  getFieldNameFromSchema: ({ fields }) => titles.find((title) => fields.some((f) => f.name === title)) ?? "id",
  getFieldType: (field) => (field.name === "id" ? "id" : analyzer.getFieldType(field)),
  getSubmissionErrors: hydraSchemaAnalyzer().getSubmissionErrors,
};

const Admin = byOpenAPI ? OpenApiAdmin : HydraAdmin;
const parse = byOpenAPI ? parseOpenApi(`${entrypoint}/docs.json`) : parseHydraDocumentation;
createRoot(document.getElementById("root")).render(
  <Admin
    entrypoint={entrypoint}
    docEntrypoint={`${entrypoint}/docs.json`}
    dataProvider={provider(entrypoint, parse, headers)}
    schemaAnalyzer={schemaAnalyzer}
    authProvider={authProvider}
    requireAuth
    disableTelemetry
  />,
);
