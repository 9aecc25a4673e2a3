import pg from "pg";

const { builtins } = pg.types;

const asNumber = (text: string) => {
  const number = Number(text);
  // JSON has no infinities and no NaN.
  return Number.isFinite(number) ? number : text;
};

const asText = (text: string) => text;

const decode = new Map<number, (text: string) => unknown>([
  [builtins.BOOL, (text) => text === "t"],
  ...[builtins.INT2, builtins.INT4, builtins.OID, builtins.FLOAT4, builtins.FLOAT8].map(
    (type) => [type, asNumber] as const,
  ),
  // The session's time zone is UTC.
  [builtins.TIMESTAMPTZ, (text) => text.replace(" ", "T").replace(/\+00$/, "Z")],
  ...[builtins.JSON, builtins.JSONB].map((type) => [type, JSON.parse] as const),
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
  [1185, builtins.TIMESTAMPTZ],
  [1187, builtins.INTERVAL],
  [1231, builtins.NUMERIC],
]);

/** Its declaration in pg-types is not what it is. */
const { arrayParser } = pg.types as unknown as {
  arrayParser: { create(text: string, decodeElement: (text: string) => unknown): { parse(): unknown[] } };
};

for (const [list, element] of elementTypes) {
  const decodeElement = decode.get(element) ?? asText;
  decode.set(list, (text) => arrayParser.create(text, decodeElement).parse());
}

/**
 * Decodes booleans, integers up to 32 bits, floats, JSON and lists to JSON values. All other types stay text: 64-bit integers and
 * decimals have more digits than JSON numbers keep.
 */
export const decoders: pg.CustomTypesConfig = {
  getTypeParser: ((type: number) => decode.get(type) ?? asText) as pg.CustomTypesConfig["getTypeParser"],
};

const names = new Map(Object.entries(builtins).map(([name, type]) => [Number(type), name.toLowerCase()]));

/** Returns Postgres's name of a type, such as `int8` or, for a list of them, `int8[]`; `other`, for example for enums. */
export function typeName(typeId: number): string {
  const element = elementTypes.get(typeId);
  return element === undefined ? (names.get(typeId) ?? "other") : `${names.get(element)}[]`;
}
