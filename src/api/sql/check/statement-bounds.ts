import { type Bound, maxDigits, rowFunctions, unbounded } from "./allowed.ts";
import { constantBytes, ruleOf, ruleOfOperator, textBytes } from "./node-rules.ts";
import {
  children,
  type Fields,
  fieldsOf,
  isStar,
  nodes,
  outputName,
  RefusedStatement,
  refused,
  strings,
  typed,
  untyped,
} from "./parse-tree.ts";
import {
  add,
  findColumn,
  findCte,
  findRelation,
  listed,
  merged,
  most,
  nothing,
  type Relation,
  renamed,
  type Scope,
  stored,
  table,
  tableColumn,
  united,
} from "./relations.ts";

const limits = {
  /** Nanoseconds to compute the expressions of one row, between two of which Postgres looks whether it was cancelled. */
  cost: 1_500_000_000,
  /** Parts of a statement, as Postgres plans it. */
  parts: 20_000,
  /** Queries that are looked at, some of them several times. */
  visits: 5_000,
  /** Parts of expressions that are looked at, likewise. A column counts for each relation that may have it. */
  lookUps: 50_000,
};

/**
 * Throws a RefusedStatement if a statement calls or casts to what is not allowed, or if its worst case is too long. The bounds
 * follow values through subqueries, because `select x || x` of a subquery that does the same doubles a text with every level.
 *
 * @param stmts what the parser returns
 * @param params the values of $1, $2 and so on
 * @returns whether the statement asks for the plan of a query
 */
export function checkBounds(
  stmts: readonly { stmt?: unknown }[],
  params: readonly unknown[],
): { explains: boolean } {
  const [only, second] = stmts;
  if (only?.stmt === undefined || second !== undefined) {
    throw new RefusedStatement("This must be one statement: send others in requests of their own.");
  }
  const [asked, limitNode] = typed(only.stmt);
  const explains = asked === "ExplainStmt";
  // ANALYZE would run the query, and tell its time alone.
  if (explains && limitNode.options !== undefined)
    throw new RefusedStatement("EXPLAIN has no options here: write explain and the query.");
  const [type, fields] = explains ? typed(limitNode.query) : [asked, limitNode];
  if (type !== "SelectStmt")
    throw new RefusedStatement("Only queries are possible here: begin with select, with, values or table.");

  const outer: Scope = { parent: undefined, relations: new Map(), ctes: new Map() };
  let visits = 0;
  let lookUps = 0;
  // A long one may be used a thousand times.
  const paramBytes = params.map(textBytes);
  boundSelect(fields, outer);
  return { explains };

  /** The columns that a query returns, and the cost of one row. */
  function boundSelect(select: Fields, parent: Scope): { relation: Relation; total: Bound } {
    for (const field of Object.keys(select)) {
      if (!selectFields.has(field)) throw new RefusedStatement(`${clauseName(field)} is not possible here.`);
    }
    // Each recursive query is looked at several times, and so is each one in it.
    if (++visits > limits.visits) throw tooManyParts();
    const scope: Scope = { parent, relations: new Map(), ctes: new Map() };
    if (select.withClause !== undefined) addCtes(untyped(select.withClause), scope);
    if (select.op !== "SETOP_NONE") {
      const sides = [select.larg, select.rarg].map((side) => boundSelect(untyped(side), scope));
      const total = add(...sides.map((side) => side.total), boundRest(select, scope));
      return { relation: united(sides.map((side) => side.relation)), total: limited(total) };
    }
    const from = add(...nodes(select.fromClause).map((item) => addRelation(item, scope)));
    const list = nodes(select.targetList).map((target) => {
      const { name, val } = fieldsOf(target);
      const value = bound(val, scope);
      return {
        name: typeof name === "string" ? name : outputName(val),
        value,
        isStar: isStar(val),
      };
    });
    for (const row of nodes(select.valuesLists))
      list.push({ name: "", value: bound(row, scope), isStar: false });
    const total = add(from, ...list.map(({ value }) => value), boundRest(select, scope));
    if (!list.some(({ isStar }) => isStar) && select.valuesLists === undefined)
      return { relation: listed(list), total: limited(total) };
    const all = merged([...scope.relations.values(), listed(list)]);
    return { relation: { columns: all.columns, hasOthers: all.hasOthers }, total: limited(total) };
  }

  /** Every clause but the columns and FROM. */
  function boundRest(select: Fields, scope: Scope): Bound {
    const { targetList, fromClause, valuesLists, withClause, larg, rarg, ...rest } = select;
    return add(...children(rest).map((child) => bound(child, scope)));
  }

  function addCtes({ ctes, recursive }: Fields, scope: Scope): void {
    const all = nodes(ctes).map((node) => fieldsOf(node));
    if (recursive === true) for (const { ctename } of all) scope.ctes.set(String(ctename), "later");
    for (const cte of all) {
      const { ctename, ctequery, aliascolnames, search_clause, cycle_clause } = cte;
      const name = String(ctename);
      if (search_clause !== undefined || cycle_clause !== undefined)
        throw new RefusedStatement("SEARCH and CYCLE are not possible here.", cte.location);
      const [queryType, query] = typed(ctequery);
      if (queryType !== "SelectStmt") throw new RefusedStatement("A statement may only read.", cte.location);
      const names = strings(aliascolnames);
      if (recursive === true && query.op === "SETOP_UNION") {
        const { larg, rarg, ...rest } = query;
        const inner: Scope = { parent: scope, relations: new Map(), ctes: new Map() };
        if (query.withClause !== undefined) addCtes(untyped(query.withClause), inner);
        const begin = boundSelect(untyped(larg), inner).relation;
        // Each round may make values longer. Rows are stored between rounds, so that only the size of their values counts.
        let rows = stored(begin);
        // A column that is longer after a round may be longer again after the next one, and a column that takes its values from it then.
        let isLonger = true;
        for (let round = 0; isLonger; round++) {
          scope.ctes.set(name, renamed(rows, names));
          const next = stored(boundSelect(untyped(rarg), inner).relation);
          const atLeast = [0, maxDigits][round] ?? unbounded;
          isLonger = false;
          rows = united([rows, next], (now, then) => {
            if (then.bytes <= now.bytes || now.bytes >= unbounded) return now;
            isLonger = true;
            return { ...now, bytes: Math.max(then.bytes, atLeast) };
          });
        }
        boundRest(rest, inner);
      } else scope.ctes.set(name, renamed(boundSelect(query, scope).relation, names));
    }
  }

  /** Adds what FROM lists to the scope, and returns the cost of its conditions and functions. */
  function addRelation(node: unknown, scope: Scope): Bound {
    const [nodeType, item] = typed(node);
    const alias = item.alias === undefined ? undefined : untyped(item.alias);
    const names = strings(alias?.colnames);
    if (nodeType === "JoinExpr") {
      if (alias !== undefined || item.join_using_alias !== undefined)
        throw new RefusedStatement("An alias of a join is not possible here.");
      const sides = [item.larg, item.rarg].map((side) => addRelation(side, scope));
      return add(...sides, item.quals === undefined ? nothing : bound(item.quals, scope));
    }
    if (nodeType === "RangeVar") {
      const { schemaname, catalogname } = item;
      const relname = String(item.relname);
      const cte = schemaname === undefined ? findCte(relname, scope) : undefined;
      if (cte === "later")
        throw new RefusedStatement(`"${relname}" must come before the query that uses it.`, item.location);
      if (cte === undefined && (catalogname !== undefined || /^pg_/i.test(String(schemaname ?? relname)))) {
        throw new RefusedStatement(
          `"${schemaname ?? relname}" can't be read here: information_schema lists tables and columns.`,
          item.location,
        );
      }
      scope.relations.set(String(alias?.aliasname ?? relname), renamed(cte ?? table, names));
      return nothing;
    }
    if (nodeType === "RangeSubselect") {
      const { relation, total } = boundSelect(typed(item.subquery)[1], scope);
      scope.relations.set(String(alias?.aliasname ?? ""), renamed(relation, names));
      return total;
    }
    if (nodeType === "RangeFunction" && item.coldeflist === undefined) {
      // Each entry is a list of the call and the definitions of its columns.
      const calls = nodes(item.functions).flatMap((entry) => nodes(fieldsOf(entry).items));
      const result = add(...calls.map((call) => bound(call, scope)));
      const value = { ...result, cost: 0, parts: 1 };
      const own = [
        ...calls.map(outputName),
        ...names,
        ...(names.length === 0 ? [String(alias?.aliasname ?? "")] : []),
        "",
      ];
      scope.relations.set(String(alias?.aliasname ?? outputName(calls[0])), {
        columns: new Map(own.map((column) => [column, value])),
        hasOthers: false,
        isFunction: true,
      });
      return result;
    }
    throw refused(nodeType, item);
  }

  /** The worst case of an expression. */
  function bound(node: unknown, scope: Scope): Bound {
    const [nodeType, fields] = typed(node);
    lookUps += nodeType === "ColumnRef" ? candidates(fields, scope) : 1;
    if (lookUps > limits.lookUps) throw tooManyParts(fields.location);
    if (nodeType === "ColumnRef") return boundColumn(fields, scope);
    if (nodeType === "ParamRef")
      return { ...nothing, bytes: paramBytes[Number(fields.number ?? 0) - 1] ?? 0, parts: 1 };
    if (nodeType === "A_Const") return { ...nothing, bytes: constantBytes(fields), parts: 1 };
    if (nodeType === "SubLink") {
      const test = fields.testexpr === undefined ? nothing : bound(fields.testexpr, scope);
      const { relation, total } = boundSelect(typed(fields.subselect)[1], scope);
      const isList = fields.subLinkType === "ARRAY_SUBLINK";
      if (fields.operName !== undefined) ruleOfOperator(fields.operName, fields);
      return { ...add(test, total), bytes: isList ? unbounded : most(relation).bytes };
    }
    const rule = ruleOf(nodeType, fields);
    const args = children(fields).map((child) => bound(child, scope));
    const { bytes, cost } = rule(args);
    const { cost: costs, parts } = add(...args);
    return limited({ bytes, cost: costs + cost + 100, parts: parts + 1 }, fields.location);
  }

  function boundColumn({ fields, location }: Fields, scope: Scope): Bound {
    const path = nodes(fields);
    if (path.some((part) => "A_Star" in part)) return most(merged([...scope.relations.values()]));
    const names = strings(path);
    const name = names.at(-1) ?? "";
    if (names.length === 1) return findColumn(name, scope);
    const relation = findRelation(names.at(-2) ?? "", scope);
    const column = relation?.columns.get(name);
    if (column !== undefined) return column;
    if (rowFunctions.has(name) || (relation?.isFunction === true && name !== "ordinality"))
      throw new RefusedStatement(`"${name}" is not a column.`, location);
    // Of a table, or a function of the row, which is longer.
    return relation === undefined ? tableColumn : most({ ...relation, hasOthers: true });
  }
}

/** How many columns a star stands for, or the relations around a column, in which it is looked for. */
function candidates(column: Fields, scope: Scope | undefined): number {
  if (scope === undefined) return 1;
  const { size } = scope.relations;
  if (!isStar({ ColumnRef: column })) return 1 + size + candidates(column, scope.parent);
  return [...scope.relations.values()].reduce((sum, { columns }) => sum + columns.size, 1 + size);
}

const selectFields = new Set(
  "distinctClause targetList fromClause whereClause groupClause groupDistinct havingClause windowClause valuesLists sortClause limitOffset limitCount limitOption withClause op all larg rarg".split(
    " ",
  ),
);
const clauseName = (field: string) =>
  ({ intoClause: "SELECT INTO", lockingClause: "Locking rows (FOR UPDATE and the like)" })[field] ?? field;

const tooManyParts = (location?: unknown) =>
  new RefusedStatement("This has too many parts: use fewer nested queries and expressions.", location);

function limited(total: Bound, location?: unknown): Bound {
  if (total.cost > limits.cost) {
    throw new RefusedStatement(
      "This could take too long for one row: make the texts, numbers or lists that it computes with shorter, or compute with them afterwards.",
      location,
    );
  }
  if (total.parts > limits.parts) throw tooManyParts(location);
  return total;
}
