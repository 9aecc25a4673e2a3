import pg from "pg";

const { builtins } = pg.types;

const asNumber = (text: string) => {
  const number = Number(text);
  // JSON has no infinities and no NaN.
  return Number.isFinite(number) ? number : text;
};

const decode = new Map<number, (text: string) => unknown>([
  [builtins.BOOL, (text) => text === "t"],
  ...[builtins.INT2, builtins.INT4, builtins.OID, builtins.FLOAT4, builtins.FLOAT8].map(
    (type) => [type, asNumber] as const,
  ),
  // The session's time zone is UTC.
  [builtins.TIMESTAMPTZ, (text) => text.replace(" ", "T").replace(/\+00$/, "Z")],
  ...[builtins.JSON, builtins.JSONB].map((type) => [type, JSON.parse] as const),
]);

const asText = (text: string) => text;

/**
 * Decodes booleans, integers up to 32 bits, floats and JSON to JSON values. All other types stay text: 64-bit integers and
 * decimals have more digits than JSON numbers keep.
 */
export const decoders: pg.CustomTypesConfig = {
  getTypeParser: ((type: number) => decode.get(type) ?? asText) as pg.CustomTypesConfig["getTypeParser"],
};

const names = new Map(Object.entries(builtins).map(([name, type]) => [Number(type), name.toLowerCase()]));

/** Returns Postgres's name of a type, such as `int8`, or `other`, for example for arrays and enums. */
export const typeName = (typeId: number) => names.get(typeId) ?? "other";
