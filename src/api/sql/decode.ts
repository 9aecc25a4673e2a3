import pg from "pg";

const { builtins } = pg.types;

const asNumber = (text: string) => {
  const number = Number(text);
  // JSON has no others.
  return Number.isFinite(number) ? number : text;
};

const decode = new Map<number, (text: string) => unknown>([
  [builtins.BOOL, (text) => text === "t"],
  ...[builtins.INT2, builtins.INT4, builtins.OID, builtins.FLOAT4, builtins.FLOAT8].map(
    (type) => [type, asNumber] as const,
  ),
  // In UTC, as the session has it.
  [builtins.TIMESTAMPTZ, (text) => text.replace(" ", "T").replace(/\+00$/, "Z")],
  ...[builtins.JSON, builtins.JSONB].map((type) => [type, JSON.parse] as const),
]);

const asText = (text: string) => text;

/**
 * Values as JSON has them: booleans, small integers and doubles as such, JSON as it is. All others are text: integers of 64 bits
 * and decimals have more digits than JSON's numbers keep.
 */
export const decoders: pg.CustomTypesConfig = {
  getTypeParser: ((type: number) => decode.get(type) ?? asText) as pg.CustomTypesConfig["getTypeParser"],
};

const names = new Map(Object.entries(builtins).map(([name, type]) => [Number(type), name.toLowerCase()]));

/** The name of a type as Postgres has it, such as `int8`; `other` for arrays and enums among others. */
export const typeName = (typeId: number) => names.get(typeId) ?? "other";
