import type { Bound } from "./allowed.ts";

/** Text columns have at most 1,000 characters, and numbers 78 digits. */
export const tableColumn: Bound = { bytes: 4_000, cost: 0, parts: 1 };
export const nothing: Bound = { bytes: 0, cost: 0, parts: 0 };

/** The columns of a table or subquery. A table's own columns are not known by name. */
export type Relation = {
  columns: ReadonlyMap<string, Bound>;
  hasOthers: boolean;
  /** Whether it is the result of a function, whose alias stands for a value: `alias.name` then calls a function of that name. */
  isFunction?: boolean;
  /** All columns in their order, where it is known. */
  list?: readonly { name: string; value: Bound }[] | undefined;
};
export const table: Relation = { columns: new Map(), hasOthers: true };

export type Scope = {
  parent: Scope | undefined;
  /** By alias. */
  relations: Map<string, Relation>;
  ctes: Map<string, Relation | "later">;
};

export const add = (...bounds: Bound[]): Bound =>
  bounds.reduce(
    (sum, { bytes, cost, parts }) => ({
      bytes: Math.max(sum.bytes, bytes),
      cost: sum.cost + cost,
      parts: sum.parts + parts,
    }),
    nothing,
  );

/** The worst of both. */
const worse = (a: Bound, b: Bound): Bound => ({
  bytes: Math.max(a.bytes, b.bytes),
  cost: Math.max(a.cost, b.cost),
  parts: Math.max(a.parts, b.parts),
});

function keep(columns: Map<string, Bound>, name: string, value: Bound): void {
  columns.set(name, worse(columns.get(name) ?? nothing, value));
}

/** The worst of all columns; as a row, of which there are fewer than this allows for. */
export function most({ columns, hasOthers }: Relation): Bound {
  const all = add(...columns.values());
  const bytes = [...columns.values()].reduce((sum, value) => sum + value.bytes, 0);
  // A row's values have their quotes doubled when it becomes a text.
  return hasOthers
    ? add({ ...tableColumn, bytes: 2 * (10 * tableColumn.bytes + bytes) }, all)
    : { ...all, bytes: 2 * bytes };
}

export function merged(relations: readonly Relation[]): Relation {
  const columns = new Map<string, Bound>();
  for (const relation of relations) for (const [name, value] of relation.columns) keep(columns, name, value);
  return { columns, hasOthers: relations.some(({ hasOthers }) => hasOthers) };
}

export function listed(list: NonNullable<Relation["list"]>): Relation {
  const columns = new Map<string, Bound>();
  for (const { name, value } of list) keep(columns, name, value);
  return { columns, hasOthers: false, list };
}

/** The rows of several queries: columns have the names of the first one. */
export function united(
  relations: readonly Relation[],
  join: (a: Bound, b: Bound) => Bound = worse,
): Relation {
  const [first, ...others] = relations.map(({ list }) => list);
  if (first !== undefined && others.every((list) => list?.length === first.length)) {
    return listed(
      first.map(({ name, value }, at) => ({
        name,
        value: others.reduce((joined, list) => join(joined, list?.[at]?.value ?? nothing), value),
      })),
    );
  }
  const { columns, hasOthers } = merged(relations);
  const any = relations.map(worst).reduce(join);
  return { columns: new Map([...columns.keys(), ""].map((name) => [name, any])), hasOthers };
}

/** A relation whose rows are stored, so that only the size of their values counts. */
export function stored({ columns, hasOthers, list }: Relation): Relation {
  const ofValue = ({ bytes }: Bound): Bound => ({ bytes, cost: 0, parts: 1 });
  return {
    columns: new Map([...columns].map(([name, value]) => [name, ofValue(value)])),
    hasOthers,
    list: list?.map(({ name, value }) => ({ name, value: ofValue(value) })),
  };
}

/** A relation whose first columns have other names. */
export function renamed(relation: Relation, names: readonly string[]): Relation {
  if (names.length === 0) return relation;
  const { list } = relation;
  if (list !== undefined)
    return listed(list.map(({ name, value }, at) => ({ name: names[at] ?? name, value })));
  const any = worst(relation);
  return {
    ...relation,
    columns: new Map([...relation.columns, ...names.map((name) => [name, any] as const)]),
  };
}

const worst = ({ columns, hasOthers }: Relation) =>
  [...columns.values()].reduce(worse, hasOthers ? tableColumn : nothing);

export function findCte(name: string, scope: Scope | undefined): Relation | "later" | undefined {
  return scope === undefined ? undefined : (scope.ctes.get(name) ?? findCte(name, scope.parent));
}

export function findRelation(alias: string, scope: Scope | undefined): Relation | undefined {
  return scope === undefined ? undefined : (scope.relations.get(alias) ?? findRelation(alias, scope.parent));
}

/** A column by its name alone, or a row by its table's. */
export function findColumn(name: string, scope: Scope | undefined): Bound {
  if (scope === undefined) return tableColumn;
  const relations = [...scope.relations.values()];
  const named = relations.flatMap(({ columns }) => columns.get(name) ?? []);
  const unnamed = relations.flatMap(({ columns }) => columns.get("") ?? []);
  const row = scope.relations.get(name);
  if (named.length > 0) return named.reduce(worse);
  if (row !== undefined) return most(row);
  return [...unnamed, findColumn(name, scope.parent)].reduce(worse);
}
