import { Ajv2020, type AnySchema } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Media = Record<string, { schema: AnySchema }>;
type Parameter = { name: string; in: "path" | "query" | "header"; required?: boolean; schema: AnySchema };
export type Operation = {
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { content: Media };
  responses: Record<string, { description: string; content?: Media }>;
};
export type OpenApiDocument = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, AnySchema> };
};

const checks = new Map<string, ReturnType<typeof createCheck>>();

/** Checks answers against an OpenAPI document. */
export function createOpenApiCheck(document: OpenApiDocument) {
  // Services of the same version have the same document but for its URLs, and the validators take a while to compile.
  const key = JSON.stringify([document.paths, document.components]);
  const check = checks.get(key) ?? createCheck(document);
  checks.set(key, check);
  return check;
}

function createCheck(document: OpenApiDocument) {
  // OpenAPI's own keywords, such as `example`, mean nothing to JSON Schema.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "openapi");
  const patterns = Object.keys(document.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));

  return {
    /**
     * Returns what is wrong with an answer; undefined if nothing is, or if the document has no such operation. Of a HEAD only the
     * status is checked.
     */
    problemOf(method: string, url: string, status: number, type: string, body: string): string | undefined {
      // As the service sees it, with .. and the like resolved.
      const pathname = url.startsWith("/") ? URL.parse(`http://localhost${url}`)?.pathname : undefined;
      const path = patterns.find(({ pattern }) => pattern.test(pathname ?? ""))?.path ?? "";
      const verb = method === "HEAD" ? "get" : method.toLowerCase();
      const operation = document.paths[path]?.[verb];
      if (operation === undefined) return undefined;
      const where = `${method} ${url}: ${status}`;
      const response = operation.responses[status];
      if (response === undefined) return `${where} is not in the document: ${body}`;
      if (method === "HEAD" || response.content === undefined) {
        return body === "" ? undefined : `${where} has a body`;
      }
      const media = type.split(";")[0] ?? "";
      if (!(media in response.content)) return `${where} has the type ${type}`;
      const pointer = [path, verb, "responses", String(status), "content", media, "schema"].map(
        escapePointer,
      );
      const validate = ajv.getSchema(`openapi#/paths/${pointer.join("/")}`);
      if (validate === undefined) return `${where} has no schema`;
      if (validate(media.includes("json") ? JSON.parse(body) : body)) return undefined;
      return `${where}: ${ajv.errorsText(validate.errors)}\n${body}`;
    },
  };
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}
