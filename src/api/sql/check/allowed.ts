/**
 * What a client's statement may call. Some of Postgres's functions loop for days without looking whether they were cancelled,
 * such as strpos() of two long strings: no timeout, signal or closed socket ends them. Everything here either takes time about
 * proportional to the size of its arguments, or has its worst case counted (see `Bound`).
 */

/** The worst case of an expression. */
export type Bound = {
  /** Bytes of its value; digits of a number. */
  bytes: number;
  /** Nanoseconds to compute it once. */
  cost: number;
  /** Parts of the expression, after Postgres has copied those of subqueries to where their columns are used. */
  parts: number;
};

/** Bytes of a value that only memory limits, such as a list of all values of a column. */
export const unbounded = 256 * 1_024 * 1_024;

/** The most digits of a numeric: 131,072 before the point and 16,383 after it. */
export const maxDigits = 147_455;

/** Computes the bytes of a result, and the nanoseconds that it takes beyond those of its arguments. */
export type Rule = (args: readonly Bound[]) => { bytes: number; cost: number };

const sum = (args: readonly Bound[]) => args.reduce((total, { bytes }) => total + bytes, 0);
const longest = (args: readonly Bound[]) => args.reduce((most, { bytes }) => Math.max(most, bytes), 0);
/** The product of the two longest arguments: long multiplication, or the positions of a text times the length of a pattern. */
const product = (args: readonly Bound[]) => {
  const [first = 1, second = 1] = args.map(({ bytes }) => Math.max(1, bytes)).sort((a, b) => b - a);
  return first * second;
};

/** A number, a time, a truth value or a short text. */
const short: Rule = (args) => ({ bytes: 100, cost: 10 * sum(args) });
/** Doesn't look at the values of its argument. */
const instant: Rule = () => ({ bytes: 100, cost: 0 });
export const comparison: Rule = (args) => ({ bytes: 1, cost: 2 * sum(args) });
/** One of the arguments, or a part of it. */
const oneOf: Rule = (args) => ({ bytes: longest(args), cost: 2 * sum(args) });
const joined: Rule = (args) => ({ bytes: sum(args), cost: 2 * sum(args) });
/** The first argument stands between all others. */
const separated: Rule = (args) => {
  const bytes = sum(args) + args.length * (args[0]?.bytes ?? 0);
  return { bytes, cost: 2 * bytes };
};
/** A list, whose values have their quotes doubled when it becomes a text. */
const extended: Rule = (args) => ({ bytes: 2 * sum(args), cost: 2 * sum(args) });
/** Changing case can make a letter three times as long. */
const recased: Rule = (args) => ({ bytes: 3 * longest(args), cost: 50 * sum(args) });
const formatted: Rule = (args) => ({ bytes: 15 * sum(args), cost: 100 * sum(args) });
/** The second argument stands between all values of the first. */
const listedAsText: Rule = ([list, separator, ...others]) => {
  const bytes = 15 * ((list?.bytes ?? 0) * (1 + (separator?.bytes ?? 0)) + sum(others));
  return { bytes, cost: 10 * bytes };
};
const added: Rule = (args) => ({ bytes: longest(args), cost: 5 * sum(args) });
const multiplied: Rule = (args) => ({
  bytes: Math.min(sum(args), Math.max(maxDigits, longest(args))),
  cost: 5 * sum(args) + product(args) / 50,
});
/** Squares each value, and the sum. */
const squared: Rule = (args) => ({
  bytes: 2 * longest(args),
  cost: 5 * sum(args) + (2 * longest(args) ** 2) / 50,
});
/** May have as many digits as there can be, whatever the arguments are. */
const raised: Rule = (args) => ({ bytes: maxDigits, cost: 200_000_000 + product(args) / 50 });
/** Calculated in steps, each of which multiplies numbers as long as the argument. */
const rooted: Rule = (args) => ({ bytes: 2_000, cost: 5_000_000 + longest(args) ** 2 / 2 });
const matched: Rule = (args) => ({ bytes: 1, cost: 20 * sum(args) + 3 * product(args) });
const collected: Rule = (args) => ({ bytes: unbounded, cost: 5 * sum(args) });

const rules: [Rule, string][] = [
  [
    short,
    `count bool_and bool_or every corr covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope
     row_number rank dense_rank percent_rank cume_dist ntile
     length char_length character_length octet_length ascii chr starts_with md5 to_hex array_position
     sign random pi width_bucket scale min_scale degrees radians
     now clock_timestamp statement_timestamp transaction_timestamp date_trunc date_part extract date_bin age timezone to_timestamp
     to_date make_date make_time make_timestamp make_timestamptz make_interval justify_days justify_hours justify_interval
     isfinite pg_typeof current_database current_schema version seconds generate_series`,
  ],
  [instant, "cardinality array_length num_nulls num_nonnulls"],
  [oneOf, "min max any_value mode percentile_disc percentile_cont lag lead first_value last_value nth_value"],
  [oneOf, "substr substring left right reverse btrim ltrim rtrim unnest array_remove"],
  [joined, "concat"],
  [separated, "concat_ws"],
  [extended, "array_append array_prepend array_cat"],
  [recased, "lower upper initcap like_escape"],
  [formatted, "to_char"],
  [listedAsText, "array_to_string"],
  [added, "sum abs ceil ceiling floor trunc round trim_scale"],
  [multiplied, "avg mod div"],
  [squared, "stddev stddev_pop stddev_samp variance var_pop var_samp"],
  [raised, "power pow exp"],
  [rooted, "sqrt cbrt ln log log10"],
  [collected, "array_agg string_agg"],
];

/** The functions, by their names in pg_catalog; `seconds` is the one in the schema launchpad. */
export const functionRules: ReadonlyMap<string, Rule> = new Map(
  rules.flatMap(([rule, names]) => names.split(/\s+/).map((name) => [name, rule] as const)),
);

/**
 * Operators, whatever their types: those of the types below take no longer. Names such as `->`, `@>` and `~` are missing
 * because containment, regular expressions and shapes take longer than the size of their arguments tells.
 */
export const operatorRules: ReadonlyMap<string, Rule> = new Map<string, Rule>(
  (
    [
      [comparison, "= <> != < > <= >="],
      [added, "+ -"],
      [multiplied, "* / %"],
      [raised, "^"],
      [joined, "||"],
      [matched, "~~ !~~ ~~* !~~*"],
    ] as const
  ).flatMap(([rule, names]) => names.split(" ").map((name) => [name, rule] as const)),
);

/** Types to cast to, and how long their values are: a hundred bytes at most, as long as the text, or with as many digits as there can be. */
export const castTypes: ReadonlyMap<string, "short" | "text" | "digits"> = new Map(
  (
    [
      ["short", "bool int2 int4 int8 float4 float8 date time timetz timestamp timestamptz interval"],
      ["text", "text varchar bpchar"],
      ["digits", "numeric decimal"],
    ] as const
  ).flatMap(([length, names]) => names.split(" ").map((name) => [name, length] as const)),
);

/**
 * Functions of a whole row, which Postgres also calls for `row.name` if the row has no such column. All others of this kind are
 * of the lists above, or return a short value.
 */
export const rowFunctions: ReadonlySet<string> = new Set(
  "array_agg json_agg json_agg_strict jsonb_agg jsonb_agg_strict to_json to_jsonb row_to_json quote_literal quote_nullable array_fill json_build_array jsonb_build_array json_build_object jsonb_build_object json_object_agg jsonb_object_agg format concat_ws pg_collation_for pg_column_compression record_out record_send any_out anyelement_out anycompatible_out anynonarray_out anycompatiblenonarray_out".split(
    " ",
  ),
);
