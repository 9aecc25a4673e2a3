import { readFileSync } from "node:fs";
import type { GraphQLNamedType, GraphQLSchema } from "graphql";
import { loadPonderGraphql, type PonderGraphql } from "../ponder/ponder-graphql.ts";
import {
  type Descriptions,
  generalDescriptions,
  operatorWords,
  pageArguments,
} from "./general-descriptions.ts";
import { resolveGroups } from "./groups/group-resolvers.ts";
import { addGroups } from "./groups/group-types.ts";
import { fieldOf, resolveByBatches } from "./read/resolvers.ts";
import { type ApiSchema, readApiSchema } from "./tables.ts";

/**
 * Creates Ponder's GraphQL schema with descriptions, all times in seconds, our own resolvers, and fields that sum rows by group.
 *
 * @param exports the exports of ponder.schema.ts
 */
export function createGraphql(exports: Record<string, unknown>): PonderGraphql {
  const graphql = addGroups(loadPonderGraphql(exports));
  const schema = readApiSchema(exports);
  showTimesInSeconds(graphql, schema);
  addBlocks(graphql, schema);
  resolveByBatches(graphql.schema, schema);
  resolveGroups(graphql.schema, schema);
  describeSchema(graphql.schema);
  return graphql;
}

/** Adds the argument `block` to the lists and rows of tables. Views join tables that have no earlier versions. */
function addBlocks({ schema, graphql }: PonderGraphql, { tables, query }: ApiSchema): void {
  const type = schema.getType("blockHeight");
  if (!graphql.isInputType(type)) throw new Error("Invariant(blockHeight): no such type");
  for (const [field, { table }] of query) {
    if (tables.get(table)?.key.length === 0) continue;
    fieldOf(schema, "Query", field).args = [
      ...fieldOf(schema, "Query", field).args,
      {
        name: "block",
        type,
        description: pageArguments.block,
        defaultValue: undefined,
        deprecationReason: undefined,
        extensions: {},
        astNode: undefined,
      },
    ];
  }
}

/** Generated from the schemas' comments by `npm run graphql:build`. */
const descriptions: Descriptions = JSON.parse(
  readFileSync(new URL("./descriptions.json", import.meta.url), "utf8"),
);

/** Adds descriptions to every type, field and argument of Ponder's schema, which has none. Our own types have theirs. */
function describeSchema(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!type.name.startsWith("__")) describeType(type);
  }
}

function describeType(type: GraphQLNamedType): void {
  const { name } = type;
  const filtered = descriptions[name.replace(/Filter$/, "")];
  const general = generalDescriptions[name];
  if (general !== undefined) {
    type.description = general.description;
    describeFields(type, (field) => general.fields[field] ?? queryField(field));
  } else if (type.description) {
    return;
  } else if (descriptions[name] !== undefined) {
    const { description, fields } = descriptions[name];
    type.description = description;
    describeFields(type, (field) => fields[field]);
  } else if (name.endsWith("Page")) {
    type.description = `A page of a list: ${name.slice(0, -"Page".length)} rows.`;
    describeFields(type, (field) => generalDescriptions.Page?.fields[field]);
  } else if (filtered !== undefined) {
    type.description = "Conditions on rows, all of which must hold.";
    describeFields(type, (field) => condition(field, filtered.fields));
  }
}

function describeFields(type: GraphQLNamedType, describe: (field: string) => string | undefined): void {
  if (!("getFields" in type)) return;
  for (const field of Object.values(type.getFields())) {
    field.description = describe(field.name) ?? field.description;
    if (!("args" in field)) continue;
    const row = descriptions[field.name]?.fields ?? {};
    for (const argument of field.args) {
      argument.description ??= row[argument.name] ?? pageArguments[argument.name];
    }
  }
}

/** Describes a field of `Query`: one row by its key, or a list. */
function queryField(field: string): string | undefined {
  const list = descriptions[field.replace(/s$/, "")];
  const one = descriptions[field];
  if (one !== undefined) return `One row by its key. ${one.description}`;
  return list === undefined ? undefined : `A list. ${list.description}`;
}

function condition(field: string, columns: Record<string, string>): string | undefined {
  if (field === "AND" || field === "OR") return operatorWords[field];
  const [, name = field, operator = ""] =
    /^(.*?)((?:_not)?(?:_in|_gte?|_lte?|_(?:contains|starts_with|ends_with)(?:_nocase)?)|_not)$/.exec(
      field,
    ) ?? [];
  const words = operatorWords[operator];
  return words === undefined || columns[name] === undefined ? undefined : `${words} ${columns[name]}`;
}

/** Makes timestamps of off-chain tables seconds, like all other times. Ponder would make them milliseconds. */
function showTimesInSeconds({ schema, graphql }: PonderGraphql, { tables }: ApiSchema): void {
  const bigint = schema.getType("BigInt");
  if (!graphql.isScalarType(bigint)) throw new Error("Invariant(BigInt): Ponder has no such type");
  for (const { name, columns } of tables.values()) {
    for (const [column, { kind }] of columns) {
      if (kind !== "date") continue;
      const field = fieldOf(schema, name, column);
      field.type = graphql.isNonNullType(field.type) ? new graphql.GraphQLNonNull(bigint) : bigint;
    }
  }
}
