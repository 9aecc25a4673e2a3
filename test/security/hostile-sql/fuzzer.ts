import fc from "fast-check";
import { query } from "../../../runtime/process/fixtures/query.ts";

/* Statements made from everything that Postgres can call, with arguments as large as a statement can make them. */

type Callable = { name: string; kind: "f" | "a" | "w" | "o"; args: string[] };

/** Expressions of each type, of sizes from small to as large as possible. */
const values: Record<string, string[]> = {
  text: [
    "'a'",
    `'${"a".repeat(3_000)}b'`,
    "$1",
    "a",
    "name",
    "upper($1)",
    "('1e'||'131071')",
    "(select string_agg(n::text, 'a') from generate_series(1, 100000) n)",
    "(select string_agg($1, 'b') from generate_series(1, 2000) n)",
  ],
  numeric: [
    "0",
    "-1.5",
    "1e131071",
    "1e-16383",
    "'1e131071'::numeric - 1",
    "1/('1e16000'::numeric+1)",
    "n",
    "10.0^65000 - 1",
    "power(3.0, 270000)",
  ],
  int4: ["0", "-1", "2147483647", "i", "100000", "7"],
  float8: ["0.5::float8", "1e308::float8", "'NaN'::float8", "'-infinity'::float8"],
  bool: ["true", "null::bool"],
  timestamptz: [
    "now()",
    "'infinity'::timestamptz",
    "'4713-01-01 BC'::timestamptz",
    "'294276-01-01'::timestamptz",
  ],
  timestamp: ["now()::timestamp", "'-infinity'::timestamp"],
  date: ["current_date", "'infinity'::date"],
  interval: ["interval '1 day'", "interval '178000000 years'", "interval '0.000001 s'"],
  array: [
    "array[1,2]",
    "(select array_agg(n) from generate_series(1, 100000) n)",
    "array(select n::text from generate_series(1, 100000) n)",
    "(select array_agg(name) from token)",
  ],
  jsonb: ["'{}'::jsonb", "to_jsonb(a)"],
  path: ["'((0,0),(1,1))'::path"],
  bit: ["B'1010'", "'1'::bit(1000000)"],
};

/** The types above that a parameter of Postgres's type takes. */
const typesOf: Record<string, string[]> = {
  text: ["text"],
  varchar: ["text"],
  bpchar: ["text"],
  name: ["text"],
  cstring: ["text"],
  bytea: ["text"],
  numeric: ["numeric"],
  int2: ["int4"],
  int4: ["int4"],
  int8: ["int4"],
  oid: ["int4"],
  float4: ["float8"],
  float8: ["float8", "numeric"],
  bool: ["bool"],
  timestamptz: ["timestamptz"],
  timestamp: ["timestamp"],
  date: ["date"],
  interval: ["interval"],
  json: ["jsonb"],
  jsonb: ["jsonb"],
  path: ["path"],
  bit: ["bit"],
  varbit: ["bit"],
  any: Object.keys(values),
  anyelement: Object.keys(values),
  anycompatible: Object.keys(values),
  anynonarray: ["text", "numeric"],
  anyarray: ["array"],
  anycompatiblearray: ["array"],
};

/** All functions and operators of the server whose arguments can be made. */
export async function readCallables(adminUrl: string): Promise<Callable[]> {
  const found = await query<Callable>(
    adminUrl,
    `select proname as name, prokind::text as kind, array(select typname::text from unnest(proargtypes::oid[]) with ordinality t (id, at)
       join pg_type on pg_type.oid = id order by at) as args
     from pg_proc where pronamespace = 'pg_catalog'::regnamespace and prokind in ('f', 'a', 'w')
     union all
     select oprname, 'o', array(select typname::text from unnest(array[oprleft, oprright]) with ordinality t (id, at)
       join pg_type on pg_type.oid = id order by at)
     from pg_operator where oprnamespace = 'pg_catalog'::regnamespace`,
  );
  return found
    .map((callable) => ({ ...callable, args: callable.args.map((type) => type.replace(/^_.*/, "anyarray")) }))
    .filter(({ args }) => args.length < 5 && args.every((type) => type in typesOf));
}

const casts = [
  "text",
  "numeric",
  "int4",
  "int8",
  "float8",
  "timestamptz",
  "interval",
  "text[]",
  "numeric(1000,900)",
  "char(10000000)",
  "jsonb",
  "path",
  "xml",
  "tsvector",
  "regclass",
  "bit(1000000)",
];

/** Statements of the service's grammar: calls in calls, in every clause, over subqueries that make values longer. */
export function statements(
  callables: readonly Callable[],
  allowed: ReadonlySet<string>,
): fc.Arbitrary<string> {
  const known = callables.filter(({ name }) => allowed.has(name));
  const leaf = (type: string) =>
    fc
      .constantFrom(...(typesOf[type] ?? ["text"]))
      .chain((of) => fc.constantFrom(...(values[of] as string[])));
  const call = (argument: (type: string) => fc.Arbitrary<string>): fc.Arbitrary<string> =>
    // Most names are refused: those that are not come more often than their number.
    fc
      .oneof(
        { weight: 3, arbitrary: fc.constantFrom(...known) },
        { weight: 1, arbitrary: fc.constantFrom(...callables) },
      )
      .chain(({ name, kind, args }) =>
        fc.tuple(...args.map(argument)).map((given) => {
          if (kind === "o")
            return given.length === 1 ? `(${name} ${given[0]})` : `(${given[0]} ${name} ${given[1]})`;
          const written = `${name}(${given.join(", ")})`;
          return kind === "w" ? `${written} over ()` : written;
        }),
      );
  const cast = (inner: fc.Arbitrary<string>) =>
    fc.tuple(inner, fc.constantFrom(...casts)).map(([value, type]) => `(${value})::${type}`);
  const simple = call(leaf);
  // Postgres calls a function of one argument for value.name as well.
  const dotted = fc
    .constantFrom(...callables.filter(({ kind, args }) => kind === "f" && args.length === 1))
    .chain(({ name, args }) => leaf(args[0] as string).map((value) => `(${value}).${name}`));
  const nested = call((type) => fc.oneof({ weight: 2, arbitrary: leaf(type) }, simple, cast(leaf(type))));
  const expression = fc.oneof(
    { weight: 8, arbitrary: simple },
    { weight: 8, arbitrary: nested },
    { weight: 8, arbitrary: cast(simple) },
    { weight: 1, arbitrary: dotted },
  );
  // Doubles a text or squares a number with each level.
  const doubled = fc.nat({ max: 24 }).map((levels) => {
    let from = "select name as a, total_supply_raw as n, 1 as i, name from token limit 3";
    for (let level = 0; level < levels; level++)
      from = `select a||a as a, n*n as n, i+1 as i, name from (${from}) l${level}`;
    return from;
  });
  return fc.tuple(expression, expression, doubled, fc.nat({ max: 5 })).map(([first, second, from, form]) => {
    switch (form) {
      case 0:
        return `select ${first} from (${from}) t`;
      case 1:
        return `select count(*) from (${from}) t where ${first} is null or ${second} is null`;
      case 2:
        return `select ${first} as x, ${second} as y from (${from}) t order by 1, 2 limit 10`;
      case 3:
        return `with s as materialized (select ${first} as a, n, i, name from (${from}) t) select ${second} from s group by ${second}`;
      case 4:
        return `with recursive r(a, n, i, name) as (select * from (${from}) t union all select a||a, n*n, i+1, name from r where i < 40) select ${first} from r`;
      default:
        return `select ${Array.from({ length: 20 }, () => first).join(", ")} from (${from}) t`;
    }
  });
}
