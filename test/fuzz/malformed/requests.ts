import http from "node:http";
import fc from "fast-check";
import type { OpenApiDocument, Operation } from "../../service/openapi-check.ts";
import { formRequest } from "./forms.ts";
import { nastyEncoded, nastyJson, nastyText } from "./values.ts";

/** A request that Node's client can send. The target is the path and query in their encoded form. */
export type MalformedRequest = {
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: string;
  /** Sent without Content-Length. */
  isChunked: boolean;
};

export type Ingredients = {
  /** Addresses of existing tokens and accounts. */
  addresses: string[];
  /** The body of an existing registration: sending it again changes nothing. */
  registration: Record<string, unknown>;
};

type Parameters = NonNullable<Operation["parameters"]>;
type Route = { path: string; method: string; parameters: Parameters; isForm: boolean };

const otherPaths = [
  "/",
  "/api",
  "/api/",
  "/api//tokens",
  "/API/TOKENS",
  "/docs",
  "/docs/assets/1/a",
  "/graphql/assets/1/a",
];
const methods = [
  ...http.METHODS.filter((method) => method !== "CONNECT"),
  ...Array(20).fill("GET"),
  "POST",
  "HEAD",
];

/**
 * Requests to every route of the OpenAPI document and to paths that aren't in it: valid ones with one thing broken, and ones that
 * are wrong in almost every way.
 */
export function malformedRequests(document: OpenApiDocument, ingredients: Ingredients) {
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { parameters = [], requestBody }]): Route => ({
        path,
        method: method.toUpperCase(),
        parameters,
        isForm: requestBody !== undefined && "multipart/form-data" in requestBody.content,
      }),
    ),
  );
  const route = fc.constantFrom(...routes);
  const valid = route.chain((chosen) => validRequest(chosen, ingredients));
  const anyPath = fc.oneof(
    fc.constantFrom(...otherPaths),
    fc.array(nastyEncoded, { maxLength: 4 }).map((parts) => `/${["api", ...parts].join("/")}`),
    fc.array(nastyEncoded, { maxLength: 4 }).map((parts) => `/${parts.join("/")}`),
    route.map(({ path }) => path),
  );
  const chaos: fc.Arbitrary<MalformedRequest> = fc.record({
    method: fc.constantFrom(...methods),
    target: fc.tuple(anyPath, nastyQuery).map(([path, query]) => onTheWire(path + query)),
    headers: nastyHeaders,
    body: fc.option(nastyJson, { nil: undefined }),
    isChunked: fc.boolean(),
  });
  return fc
    .oneof({ weight: 5, arbitrary: valid.chain(breakOneThing) }, { weight: 1, arbitrary: valid }, chaos)
    .map(sendable);
}

const nastyQuery = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(
          "page",
          "limit",
          "q",
          "board",
          "sort",
          "mint",
          "mints",
          "creator",
          "chainId",
          "from",
          "to",
          "interval",
          "cursor",
          "trader",
          "__proto__",
        ),
        fc.constantFrom("constructor", "page[]", "page[a]", "", "hasOwnProperty", "toString"),
        nastyEncoded,
      ),
      fc.option(nastyEncoded),
    ),
    { maxLength: 6 },
  )
  .map((pairs) => `?${pairs.map(([key, value]) => (value === null ? key : `${key}=${value}`)).join("&")}`);

const nastyHeaders = fc
  .array(
    fc.oneof(
      fc.tuple(
        fc.constantFrom(
          ...[
            "accept",
            "accept-encoding",
            "accept-language",
            "content-type",
            "if-none-match",
            "range",
            "cookie",
          ],
          ...[
            "x-forwarded-for",
            "forwarded",
            "origin",
            "referer",
            "content-encoding",
            "x-http-method-override",
          ],
          ...[
            "authorization",
            "user-agent",
            "if-modified-since",
            "x-forwarded-host",
            "access-control-request-method",
          ],
        ),
        fc.oneof(
          nastyText.map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "")),
          fc.constantFrom(
            "*/*;q=abc",
            "text/html",
            'W/"',
            "*",
            '"',
            "gzip",
            "bytes=0-",
            "application/json;",
            ",",
          ),
          fc.nat(8_000).map((length) => "a".repeat(length)),
        ),
      ),
      fc.tuple(fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/), fc.constantFrom("1", "a,b", "")),
    ),
    { maxLength: 4 },
  )
  .map((entries) => {
    const kept = entries.filter(
      ([name]) =>
        !/^(host|connection|content-length|transfer-encoding|upgrade|expect|te|trailer|keep-alive)$/.test(
          name,
        ),
    );
    return Object.fromEntries(kept);
  });

function validRequest(
  route: Route,
  { addresses, registration }: Ingredients,
): fc.Arbitrary<MalformedRequest> {
  const validValue = ({ schema, name }: Parameters[number]): fc.Arbitrary<string> => {
    const { type, enum: values, minimum, maximum } = schema as Record<string, never> & { enum?: unknown[] };
    if (values !== undefined) return fc.constantFrom(...values).map(String);
    if (name === "amount") return fc.bigInt(1n, 10n ** 27n).map(String);
    // Blocks that exist and blocks that don't exist yet, more than a page apart.
    if (/^(from|to)Block$/.test(name)) return fc.constantFrom("0", "5", "9000", "9999999999");
    if (name === "timeout") return fc.constantFrom("0", "1");
    if (type === "integer" || type === "number")
      return fc.integer({ min: minimum, max: maximum ?? 50 }).map(String);
    if (/^(from|to)$/.test(name))
      return fc.constantFrom("0", "1800000000", "2026-01-31T12:00Z", "9999-12-31");
    if (name === "cursor")
      return fc.constantFrom("1.000000000001-000001", `1.${addresses[0]?.toLowerCase()}`);
    if (/mint|creator|address|account|trader/.test(name)) return fc.constantFrom(...addresses);
    return fc.constantFrom("otter", "a", "0x1");
  };
  const pathParameters = route.parameters.filter((parameter) => parameter.in === "path");
  const queryParameters = route.parameters.filter((parameter) => parameter.in === "query");
  if (route.isForm) return formRequest(route.path);
  return fc
    .tuple(
      fc.tuple(...pathParameters.map(validValue)),
      fc.tuple(
        ...queryParameters.map((parameter) =>
          fc.option(validValue(parameter), { freq: parameter.required ? 1_000 : 1 }),
        ),
      ),
      fc.boolean(),
    )
    .map(([inPath, inQuery, isChunked]) => {
      const path = pathParameters.reduce(
        (text, { name }, index) => text.replace(`{${name}}`, String(inPath[index])),
        route.path,
      );
      const query = queryParameters.flatMap(({ name }, index) =>
        inQuery[index] === null ? [] : [`${name}=${inQuery[index]}`],
      );
      const target = query.length === 0 ? path : `${path}?${query.join("&")}`;
      if (route.method !== "POST") return { method: route.method, target, headers: {}, isChunked };
      const headers = { "content-type": "application/json" };
      return { method: "POST", target, headers, body: JSON.stringify(registration), isChunked };
    });
}

const otherTypes = fc.constantFrom(
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/jsonp",
  "*/*",
);

/** Breaks the method, the path, the query, a header or the body. */
function breakOneThing(request: MalformedRequest): fc.Arbitrary<MalformedRequest> {
  const [path = "", query = ""] = request.target.split("?");
  const change = (changes: Partial<MalformedRequest>) => ({ ...request, ...changes });
  const pairs = query === "" ? [] : query.split("&");
  const names = pairs.map((pair) => pair.split("=")[0]);
  const segments = path.split("/");
  return fc.oneof<fc.Arbitrary<MalformedRequest>[]>(
    fc.constantFrom(...methods).map((method) => change({ method })),
    nastyHeaders.map((headers) => change({ headers: { ...request.headers, ...headers } })),
    // This header decides whether a body is read at all.
    ...(request.headers["content-type"] === undefined
      ? []
      : [otherTypes.map((type) => change({ headers: { ...request.headers, "content-type": type } }))]),
    fc.tuple(fc.nat(segments.length), nastyEncoded).map(([at, part]) => {
      const target = segments.map((segment, index) => (index === at ? part : segment)).join("/");
      return change({ target: onTheWire(`${target}?${query}`) });
    }),
    fc.tuple(fc.nat(pairs.length), nastyEncoded).map(([at, value]) => {
      const name = names[at] ?? "page";
      const others = pairs.filter((_, index) => index !== at);
      return change({ target: onTheWire(`${path}?${[...others, `${name}=${value}`].join("&")}`) });
    }),
    nastyQuery.map((more) => change({ target: onTheWire(`${path}?${query}&${more.slice(1)}`) })),
    fc.constant(change({ target: `${path}?${[...pairs, ...pairs].join("&")}` })),
    // Bodies are broken more often, because there is more in them to break.
    ...(request.body === undefined
      ? []
      : Array.from({ length: 6 }, () => brokenBody(request.body ?? "").map((body) => change({ body })))),
  );
}

function brokenBody(body: string): fc.Arbitrary<string> {
  if (!body.startsWith("{")) return fc.nat(body.length).map((length) => body.slice(0, length));
  const fields = JSON.parse(body);
  const name = fc.constantFrom(
    ...Object.keys(fields),
    "description",
    "imageUrl",
    "twitterUrl",
    "signature",
    "issuedAt",
    "__proto__",
    "x",
  );
  return fc.oneof(
    nastyJson,
    fc.nat(body.length - 1).map((length) => body.slice(0, length)),
    fc.tuple(name, fc.oneof(nastyText, fc.jsonValue())).map(([key, value]) => withField(fields, key, value)),
    name.map((key) => JSON.stringify({ ...fields, [key]: undefined })),
    fc.nat(40_000).map((length) => withField(fields, "description", "x".repeat(2 * length))),
  );
}

function withField(fields: object, name: string, value: unknown): string {
  // Built as text, so that __proto__ is an ordinary key.
  return `${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value) ?? "null"}}`;
}

/** Encodes what Node's client refuses to send: controls, spaces and non-ASCII characters. Tests send those over plain sockets. */
function onTheWire(target: string): string {
  return target.replaceAll(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character.toWellFormed()));
}

function sendable(request: MalformedRequest): MalformedRequest {
  const target = answeredAtOnce(request.target);
  // These methods have no body.
  if (["GET", "HEAD", "TRACE"].includes(request.method)) return { ...request, target, body: undefined };
  return { ...request, target };
}

/** Gives long polls a timeout of 0: no events come, so they would wait for the full 25 s. */
function answeredAtOnce(target: string): string {
  if (!/^\/api\/events(\?|$)/.test(target) || target.includes("timeout=")) return target;
  const separator = target.includes("?") ? "&" : "?";
  return `${target}${separator}timeout=0`;
}
