import pg from "pg";
import { sqlLimits } from "./limits.ts";
import { tooManyListValues, valueTooLong } from "./sql-problem.ts";

const { builtins } = pg.types;

const asNumber = (text: string) => {
  const number = Number(text);
  // JSON has no infinities and no NaN.
  return Number.isFinite(number) ? number : text;
};

const asText = (text: string) => text;

/** JSON's own functions for numbers as they are written (ECMAScript 2026), which TypeScript doesn't declare yet. */
declare global {
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, at: { source?: string }) => unknown): unknown;
    rawJSON(text: string): object;
  }
}

/** Parses JSON whose numbers are serialized with all of their digits again: most of ours, such as wei, have more than 15. */
const asJson = (text: string) =>
  JSON.parse(text, (_, value, { source }) =>
    typeof value === "number" && source !== undefined && source !== String(value)
      ? JSON.rawJSON(source)
      : value,
  );

const decode = new Map<number, (text: string) => unknown>([
  [builtins.BOOL, (text) => text === "t"],
  ...[builtins.INT2, builtins.INT4, builtins.OID, builtins.FLOAT4, builtins.FLOAT8].map(
    (type) => [type, asNumber] as const,
  ),
  [builtins.TIMESTAMP, (text) => text.replace(" ", "T")],
  // The session's time zone is UTC.
  [builtins.TIMESTAMPTZ, (text) => text.replace(" ", "T").replace(/\+00$/, "Z")],
  ...[builtins.JSON, builtins.JSONB].map((type) => [type, asJson] as const),
]);

/** The element's type, by the type of a list of them. pg-types names some of these lists, but not all. */
const elementTypes = new Map<number, number>([
  [1000, builtins.BOOL],
  [1005, builtins.INT2],
  [1007, builtins.INT4],
  [1009, builtins.TEXT],
  [1014, builtins.BPCHAR],
  [1015, builtins.VARCHAR],
  [1016, builtins.INT8],
  [1021, builtins.FLOAT4],
  [1022, builtins.FLOAT8],
  [1115, builtins.TIMESTAMP],
  [1182, builtins.DATE],
  [1183, builtins.TIME],
  [1185, builtins.TIMESTAMPTZ],
  [1187, builtins.INTERVAL],
  [1231, builtins.NUMERIC],
  [1270, builtins.TIMETZ],
]);

/** From here on, types are defined in a schema: enums and rows, whose values never begin with a brace, and lists of them, which do. */
const firstDefinedType = 10_000;

/**
 * Creates what decodes the values of one answer: booleans, integers up to 32 bits, floats, JSON and lists to JSON values. All other types
 * stay text: 64-bit integers and decimals have more digits than most readers of JSON keep. Throws a problem if a value is too long, or
 * if the lists have too many values: decoding and serializing one takes all of this thread.
 */
export function createDecoders(): pg.CustomTypesConfig {
  let listValues = 0;
  const count = () => {
    if (++listValues > sqlLimits.listValues) throw tooManyListValues();
  };
  const decoderOf = (type: number) => {
    const element = elementTypes.get(type);
    const decodeElement = decode.get(element ?? type) ?? asText;
    const isList = (text: string) =>
      element !== undefined || (type >= firstDefinedType && text.startsWith("{"));
    return (text: string) => {
      if (text.length > sqlLimits.valueCharacters) throw valueTooLong();
      return isList(text) ? parseList(text, decodeElement, count) : decodeElement(text);
    };
  };
  return { getTypeParser: decoderOf as pg.CustomTypesConfig["getTypeParser"] };
}

/**
 * Parses a list as Postgres writes it, such as {1,NULL,"a, b"} or, if its numbers don't begin with 1, [2:3]={1,2}. The parser of
 * pg-types makes an object of each character, which takes ten times as long.
 *
 * @param count is called for each value, in lists of lists too
 */
function parseList(text: string, decodeElement: (text: string) => unknown, count: () => void): unknown[] {
  let at = text.indexOf("{");

  function readList(): unknown[] {
    const list: unknown[] = [];
    for (at++; text[at] !== "}"; ) {
      list.push(text[at] === "{" ? readList() : readValue());
      if (text[at] === ",") at++;
    }
    at++;
    return list;
  }

  function readValue(): unknown {
    count();
    const start = at;
    if (text[at] === '"') {
      for (at++; text[at] !== '"'; at++) if (text[at] === "\\") at++;
      at++;
      return decodeElement(text.slice(start + 1, at - 1).replaceAll(/\\(.)/gs, "$1"));
    }
    while (text[at] !== "," && text[at] !== "}") at++;
    const value = text.slice(start, at);
    return value === "NULL" ? null : decodeElement(value);
  }

  return readList();
}

const names = new Map(Object.entries(builtins).map(([name, type]) => [Number(type), name.toLowerCase()]));

/** Returns Postgres's name of a type, such as `int8` or, for a list of them, `int8[]`; `other`, for example for enums. */
export function typeName(typeId: number): string {
  const element = elementTypes.get(typeId);
  return element === undefined ? (names.get(typeId) ?? "other") : `${names.get(element)}[]`;
}
