/*
 * What openapi-python-client leaves out of a client with a warning, or fails at: the refusals of its parser (version 0.29, in
 * parser/openapi.py, bodies.py, responses.py and properties), written again here, since it can't be installed from npm.
 */

type Schema = {
  $ref?: string;
  title?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
};
type Content = Record<string, { schema?: Schema }>;
type Parameter = { name: string; in: string; required?: boolean; schema?: Schema };
type Operation = {
  operationId?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
type PythonDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** @param contentTypes `content_type_overrides` of the generator's configuration */
export function pythonClientProblems(
  { paths, components: { schemas } }: PythonDocument,
  contentTypes: Record<string, string>,
): string[] {
  const problems: string[] = [];
  const classes = new Map<string, string>();
  const endpoints = new Set<string>();

  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (schemas[schema.$ref.replace("#/components/schemas/", "")] ?? {});

  /** A class is a file of its own, and two enums of the same values share one. */
  function addClass(name: string, values: string, at: string): void {
    const existing = classes.get(snakeCase(name));
    if (existing !== undefined && (existing !== values || values === ""))
      problems.push(`${at}: another class is called ${name}`);
    classes.set(snakeCase(name), values);
  }

  function addEnum(schema: Schema, name: string, parent: string, at: string): void {
    const values = (schema.enum ?? []).filter((value) => value !== null);
    const types = new Set(values.map((value) => typeof value));
    const isWhole = values.every((value) => typeof value === "string" || Number.isInteger(value));
    if (types.size > 1 || !isWhole) problems.push(`${at}: an enum of ${[...types].join(" and ")}`);
    const keys = values.map((value, index) =>
      /^[a-z]/i.test(String(value)) ? snakeCase(String(value)) : index,
    );
    if (types.has("string") && new Set(keys).size < keys.length)
      problems.push(`${at}: values with the same name in Python`);
    addClass(classOf(schema.title ?? name, parent), JSON.stringify(values), at);
  }

  /** Visits a schema where it is used. Named schemas are visited once, by themselves. */
  function visit(schema: Schema, name: string, parent: string, at: string): void {
    if (schema.$ref !== undefined) {
      const target = schema.$ref.replace("#/components/schemas/", "");
      if (!(target in schemas)) problems.push(`${at}: ${schema.$ref} is nowhere`);
      return;
    }
    if (schema.default !== undefined && !takes(schema, schema.default)) {
      problems.push(`${at}: the default ${JSON.stringify(schema.default)} doesn't fit`);
    }
    const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
    const [first] = parts;
    const union = unionOf(schema);
    if (parts.length === 1 && first?.$ref !== undefined) {
      visit(first, name, parent, at);
    } else if (schema.enum !== undefined && schema.type !== "boolean") {
      // With a null, it is a union of null and the enum.
      addEnum(schema, schema.enum.includes(null) ? `${name}_type_1` : name, parent, at);
    } else if (union !== undefined) {
      for (const [index, part] of union.entries()) {
        const title = part.title === schema.title ? undefined : part.title;
        visit(part, `${name}_${title ?? `type_${index}`}`, parent, `${at}/${index}`);
      }
    } else if (schema.type === "array") {
      visitItems(schema, name, parent, at);
    } else if (schema.const === undefined && isModel(schema)) {
      visitModel(schema, classOf(schema.title ?? name, parent), at);
    }
  }

  function visitItems(schema: Schema, name: string, parent: string, at: string): void {
    const items = [...(schema.prefixItems ?? []), ...(schema.items === undefined ? [] : [schema.items])];
    if (items.length === 0) problems.push(`${at}: an array without items`);
    const [item] = items;
    if (items.length === 1 && item !== undefined) visit(item, `${name}_item`, parent, `${at}/items`);
    if (items.length > 1) visit({ anyOf: items }, `${name}_item`, parent, `${at}/items`);
  }

  function visitModel(schema: Schema, className: string, at: string): void {
    addClass(className, "", at);
    const names = new Map<string, string>();
    const parts = schema.allOf ?? [];
    const inherited = parts.map(resolve);
    if (!parts.every((part) => part.$ref === undefined || isModel(resolve(part))))
      problems.push(`${at}: an allOf of something else than objects`);
    for (const { properties = {} } of [schema, ...inherited]) {
      for (const name of Object.keys(properties)) {
        const other = names.get(snakeCase(name)) ?? name;
        if (other !== name) problems.push(`${at}: ${name} and ${other} have the same name in Python`);
        names.set(snakeCase(name), name);
      }
    }
    for (const part of [schema, ...parts]) {
      for (const [name, property] of Object.entries(part.properties ?? {})) {
        visit(property, name, className, `${at}/${name}`);
      }
    }
    if (typeof schema.additionalProperties === "object") {
      visit(schema.additionalProperties, "AdditionalProperty", className, `${at}/*`);
    }
  }

  /** The schemas of which a value may be any. */
  const unionOf = ({ anyOf = [], oneOf = [], type, ...schema }: Schema): Schema[] | undefined => {
    const byType = Array.isArray(type)
      ? type.map((one) => ({ ...schema, type: one, default: undefined }))
      : [];
    const union = [...anyOf, ...oneOf, ...byType];
    return union.length === 0 ? undefined : union;
  };

  const isModel = ({ type, allOf, properties }: Schema): boolean =>
    type === "object" || allOf !== undefined || (type === undefined && properties !== undefined);

  function takes(given: Schema, value: unknown): boolean {
    const schema = resolve(given);
    if (schema.enum !== undefined) return schema.enum.includes(value);
    const union = unionOf(schema);
    if (union !== undefined) return union.some((part) => takes(part, value));
    if (schema.const !== undefined) return value === schema.const;
    if (schema.type === "boolean") return typeof value === "boolean";
    if (schema.type === "integer") return Number.isInteger(value);
    if (schema.type === "number") return typeof value === "number";
    if (schema.format === "date" || schema.format === "date-time")
      return !Number.isNaN(Date.parse(String(value)));
    return schema.type === "array" || !isModel(schema);
  }

  /** Whether a parameter there may have such a value. */
  function fits(given: Schema, location: string): boolean {
    const schema = resolve(given);
    const union = schema.enum === undefined ? unionOf(schema) : undefined;
    if (union !== undefined) return union.every((part) => fits(part, location));
    if (location === "path") return schema.type !== "null";
    if (location !== "header") return true;
    const isDate = schema.format === "date" || schema.format === "date-time" || schema.format === "binary";
    return (
      schema.const === undefined &&
      !isDate &&
      /^(string|number|integer|boolean|null)$/.test(String(schema.type))
    );
  }

  function visitParameters(path: string, { parameters = [], operationId = "" }: Operation, at: string): void {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const given = parameters.filter((parameter) => parameter.in === "path");
    if (given.some(({ required }) => required !== true))
      problems.push(`${at}: a path parameter that is optional`);
    if (
      inPath.toSorted().join() !==
      given
        .map(({ name }) => name)
        .sort()
        .join()
    ) {
      problems.push(`${at}: other parameters than in the path`);
    }
    // Of two places, they get the name of the place, too.
    const names = parameters.map((parameter) => `${snakeCase(parameter.name)} in the ${parameter.in}`);
    const repeated = names.find((name, index) => names.indexOf(name) < index);
    if (repeated !== undefined) problems.push(`${at}: two parameters ${repeated}`);
    for (const { name, in: location, schema } of parameters) {
      if (schema === undefined) problems.push(`${at}: ${name} has no schema, and is left out`);
      else if (!fits(schema, location)) problems.push(`${at}: ${name} can't be in the ${location}`);
      if (schema !== undefined) visit(schema, name, operationId, `${at} ${name}`);
    }
  }

  const typeOf = (contentType: string) => contentTypes[contentType] ?? contentType;
  const isJson = (type: string) => type === "application/json" || type.endsWith("+json");
  const isReadable = (type: string) =>
    isJson(type) || type.startsWith("text/") || type === "application/octet-stream";
  const sent: Record<string, string> = {
    "application/x-www-form-urlencoded": "data",
    "multipart/form-data": "files",
    "application/octet-stream": "content",
  };

  function visitBodies(operation: Operation, at: string): void {
    const { operationId = "", requestBody, responses } = operation;
    const bodies = Object.entries(requestBody?.content ?? {});
    for (const [contentType, { schema }] of bodies) {
      const type = typeOf(contentType);
      const form = isJson(type) ? "json" : sent[type];
      if (form === undefined) problems.push(`${at}: can't send ${contentType}`);
      else if (schema === undefined) problems.push(`${at}: ${contentType} has no schema`);
      else visit(schema, "body", bodies.length > 1 ? `${operationId}_${form}` : operationId, `${at} body`);
    }
    for (const [status, { content = {} }] of Object.entries(responses)) {
      if (!/^(default|\dXX|\d+)$/.test(status)) problems.push(`${at}: the status ${status}`);
      const [readable] = Object.entries(content).filter(([type]) => isReadable(typeOf(type)));
      const types = Object.keys(content);
      if (types.length > 0 && readable === undefined)
        problems.push(`${at} ${status}: can't read ${types.join()}`);
      const schema = readable?.[1].schema;
      if (schema !== undefined) visit(schema, `response_${status}`, operationId, `${at} ${status}`);
    }
  }

  for (const [name, schema] of Object.entries(schemas)) visit(schema, name, "", name);
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const at = `${method.toUpperCase()} ${path}`;
      const { operationId, tags = ["default"] } = operation;
      const endpoint = `${tags[0]}/${snakeCase(operationId ?? at)}`;
      if (endpoints.has(endpoint)) problems.push(`${at}: another operation is called ${operationId}`);
      endpoints.add(endpoint);
      visitParameters(path, operation, at);
      visitBodies(operation, at);
    }
  }
  return problems;
}

/** Splits a name into its words, as the generator does. */
function wordsOf(name: string): string[] {
  const spaced = /[A-Z]/.test(name) ? name.split(/([A-Z]?[a-z]+)/).join(" ") : name;
  return spaced.replace(/[^\w. -]+/g, "").match(/[^. _-]+/g) ?? [];
}

const snakeCase = (name: string) => wordsOf(name).join("_").toLowerCase();

const pascalCase = (name: string) =>
  wordsOf(name)
    .map((word) => (/[A-Z]/.test(word) && word === word.toUpperCase() ? word : capitalize(word)))
    .join("");

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

/** The class of a schema: by its own name if it is a named one, or within a class or an operation. */
const classOf = (name: string, parent: string) =>
  parent === "" ? pascalCase(name) : pascalCase(pascalCase(parent) + pascalCase(name));
