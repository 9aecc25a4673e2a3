import { castTypes, comparison, functionRules, maxDigits, operatorRules, type Rule } from "./allowed.ts";
import {
  type Fields,
  integerOf,
  isInteger,
  type Node,
  nodes,
  RefusedStatement,
  refused,
  strings,
  typed,
  typeOf,
  untyped,
} from "./parse-tree.ts";

const maxSeries = 100_000;

/** Where the service itself says what may be called. */
const listed = "the description of POST /sql in /api/openapi.json lists";

/** Throws unless the node may be used; returns how long its result is. */
export function ruleOf(type: string, fields: Fields): Rule {
  if (type === "A_Expr") return ruleOfExpression(fields);
  if (type === "FuncCall") return ruleOfCall(fields);
  if (type === "TypeCast") return ruleOfCast(fields);
  if (type === "CollateClause" && strings(fields.collname).join() !== "C")
    throw new RefusedStatement('The only collation here is "C".', fields.location);
  if (type === "GroupingSet" && fields.kind === "GROUPING_SET_CUBE")
    throw new RefusedStatement("CUBE is not possible here: list the grouping sets.", fields.location);
  // `(value).name` calls the function of that name, unless the value is a row that has such a column.
  if (type === "A_Indirection" && nodes(fields.indirection).some((part) => "String" in part))
    throw refused(type, fields);
  const rule = nodeRules.get(type);
  if (rule === undefined) throw refused(type, fields);
  return rule;
}

const longestOf: Rule = (args) => ({
  bytes: args.reduce((most, { bytes }) => Math.max(most, bytes), 0),
  cost: 0,
});
const sumOf: Rule = (args) => ({
  bytes: args.reduce((sum, { bytes }) => sum + bytes, 0),
  cost: args.reduce((sum, { bytes }) => sum + bytes, 0),
});
/** A row or a list, whose values have their quotes doubled when it becomes a text. */
const constructed: Rule = (args) => {
  const { bytes, cost } = sumOf(args);
  return { bytes: 2 * (bytes + args.length), cost };
};
/** Elements of a list are found by walking through it. */
const elementOf: Rule = (args) => ({
  ...longestOf(args),
  cost: args.reduce((sum, { bytes }) => sum + bytes, 0) / 2,
});
/** One of several, which are compared with each other. */
const comparedOf: Rule = (args) => ({ ...longestOf(args), cost: 2 * args.length * longestOf(args).bytes });
const yesOrNo: Rule = () => ({ bytes: 1, cost: 0 });

/** Nodes whose worst case follows from that of their parts. */
const nodeRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...["BoolExpr", "NullTest", "BooleanTest", "GroupingFunc"].map((type) => [type, yesOrNo] as const),
  ...["CaseWhen", "CoalesceExpr", "SortBy", "WindowDef", "CollateClause"].map(
    (type) => [type, longestOf] as const,
  ),
  ...["CaseExpr", "MinMaxExpr"].map((type) => [type, comparedOf] as const),
  ...["List", "GroupingSet", "A_Indices"].map((type) => [type, sumOf] as const),
  ...["RowExpr", "A_ArrayExpr"].map((type) => [type, constructed] as const),
  ["A_Indirection", elementOf],
  ["SQLValueFunction", () => ({ bytes: 100, cost: 0 })],
  ["String", yesOrNo],
  ["A_Star", yesOrNo],
]);

function ruleOfExpression(fields: Fields): Rule {
  const { kind, location } = fields;
  if (kind === "AEXPR_SIMILAR")
    throw new RefusedStatement("Regular expressions are not possible here: use like.", location);
  // Their names are words.
  if (String(kind).startsWith("AEXPR_BETWEEN") || String(kind).startsWith("AEXPR_NOT_BETWEEN"))
    return comparison;
  const rule = ruleOfOperator(fields.name, fields);
  return kind === "AEXPR_NULLIF" ? (args) => ({ ...rule(args), ...longestOf(args) }) : rule;
}

export function ruleOfOperator(name: unknown, { location }: Fields): Rule {
  const path = strings(name);
  const rule =
    path.length === 1 || path[0] === "pg_catalog" ? operatorRules.get(path.at(-1) ?? "") : undefined;
  if (rule === undefined)
    throw new RefusedStatement(
      `The operator ${path.at(-1)} can't be used here: ${listed} those that can.`,
      location,
    );
  return rule;
}

function ruleOfCall(fields: Fields): Rule {
  const path = strings(fields.funcname);
  const [name = ""] = path.slice(-1);
  const isOurs = path.length === 2 && path[0] === "launchpad" && name === "seconds";
  const isKnown = isOurs || path.length === 1 || (path.length === 2 && path[0] === "pg_catalog");
  const rule = isKnown ? functionRules.get(name) : undefined;
  const refuse = (detail: string) => new RefusedStatement(detail, fields.location);
  if (rule === undefined) throw refuse(`The function ${name} can't be used here: ${listed} those that can.`);
  if (fields.func_variadic === true) throw refuse("VARIADIC is not possible here.");
  const args = nodes(fields.args);
  // Given texts instead of numbers, it takes regular expressions.
  if (name === "substring" && !(args.length > 1 && args.slice(1).every(isInteger))) {
    throw refuse(
      "substring takes a text and whole numbers here, as in substring(name from 1 for 3); or use substr.",
    );
  }
  if (/^[blr]trim$/.test(name) && args.length > 1)
    throw refuse(`${name} takes one argument here, and removes spaces.`);
  if (name === "generate_series" && !isBoundedSeries(args)) {
    throw refuse(
      `generate_series takes two or three whole numbers here, for at most ${maxSeries.toLocaleString("en")} values; or two times and an interval, as in generate_series(from, to, interval '1 day').`,
    );
  }
  const [, digits] = args;
  // Digits that are asked for.
  if (name === "round" || name === "trunc") {
    const added =
      digits === undefined
        ? 0
        : isInteger(digits)
          ? Math.min(Math.abs(integerOf(digits)), maxDigits)
          : maxDigits;
    return (bounds) => ({ ...rule(bounds), bytes: rule(bounds).bytes + added });
  }
  return rule;
}

function ruleOfCast(fields: Fields): Rule {
  const type = untyped(fields.typeName);
  const path = strings(type.names);
  const name = path.at(-1) ?? "";
  const length = path.length === 1 || path[0] === "pg_catalog" ? castTypes.get(name) : undefined;
  if (length === undefined || type.setof === true) {
    throw new RefusedStatement(
      `Casting to ${name} is not possible here: ${listed} the types.`,
      fields.location,
    );
  }
  const isArray = type.arrayBounds !== undefined;
  if (isArray && name === "bpchar")
    throw new RefusedStatement("Lists of padded texts are not possible here.", fields.location);
  const modifiers = nodes(type.typmods).map((node) => (isInteger(node) ? Math.abs(integerOf(node)) : 0));
  const isConstant = ["A_Const", "ParamRef"].includes(typeOf(fields.arg));
  return (args) => {
    const padded = Math.max(
      longestOf(args).bytes,
      100,
      ...(name === "bpchar" || name === "numeric" ? modifiers : []),
    );
    // Only of a constant is it known that it has no exponent.
    const digits = length === "digits" && !isConstant ? maxDigits : 0;
    const own = length === "short" ? 100 : Math.max(padded, digits);
    return { bytes: isArray ? Math.max(10 * padded, digits) : own, cost: 50 * padded };
  };
}

function isBoundedSeries(args: readonly Node[]): boolean {
  if (args.every(isInteger)) {
    const [from = 0, to = 0, step = 1] = args.map(integerOf);
    return step !== 0 && (to - from) / step < maxSeries;
  }
  const [, , step] = args;
  if (step === undefined) return false;
  const [type, fields] = typed(step);
  return (
    type === "TypeCast" &&
    strings(untyped(fields.typeName).names).at(-1) === "interval" &&
    typeOf(fields.arg) === "A_Const"
  );
}

/** Digits of the number that a text may be read as: an exponent makes it longer than the text. */
export function textBytes(value: unknown): number {
  const text = String(value ?? "");
  const exponents = [...text.matchAll(/e[+-]?([\d_]+)/gi)].map(([, digits = ""]) =>
    Number(digits.replaceAll("_", "")),
  );
  return (
    Buffer.byteLength(text) + exponents.reduce((sum, exponent) => Math.min(maxDigits, sum + exponent), 0)
  );
}

export function constantBytes({ sval, fval, bsval }: Fields): number {
  if (bsval !== undefined) throw new RefusedStatement("Bit strings are not possible here.");
  return textBytes(untyped(sval ?? {}).sval ?? untyped(fval ?? {}).fval ?? "0123456789");
}
