/** A node of Postgres's parse tree, as libpg_query writes it: its type, and its fields. */
export type Node = { [type: string]: unknown };
export type Fields = { [field: string]: unknown };

/** Why a statement is refused. */
export class RefusedStatement extends Error {
  override name = "RefusedStatement";
  /** Where, in bytes of the statement from 0; undefined if the parser doesn't say. */
  readonly location: number | undefined;

  constructor(message: string, location?: unknown) {
    super(message);
    this.location = typeof location === "number" && location >= 0 ? location : undefined;
  }
}

export function refused(type: string, { location }: Fields): RefusedStatement {
  const words = type
    .replace(/^A_/, "")
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  return new RefusedStatement(`This kind of expression (${words}) is not possible here.`, location);
}

const unreadable = () => new RefusedStatement("This can't be read.");

/** Returns the fields of a clause that the parser writes without its type, which follows from its place. Throws if it isn't there. */
export function untyped(value: unknown): Fields {
  if (!isObject(value)) throw unreadable();
  return value;
}

/** Returns a node's type and fields. Throws if it isn't there. */
export function typed(node: unknown): [string, Fields] {
  const [entry] = Object.entries(untyped(node));
  if (entry === undefined) throw unreadable();
  return [entry[0], untyped(entry[1])];
}

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

export const typeOf = (node: unknown) => typed(node)[0];
export const fieldsOf = (node: unknown) => typed(node)[1];
/** Empty objects stand for entries that are absent. */
export const nodes = (list: unknown = []): Node[] => {
  if (!Array.isArray(list)) throw unreadable();
  return list.map(untyped).filter((node) => Object.keys(node).length > 0);
};
export const strings = (list: unknown) =>
  nodes(list).flatMap((node) => ("String" in node ? [String(untyped(node.String).sval ?? "")] : []));

/** The nodes in any field of a node, except for names and types. */
export function children(fields: Fields): Node[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    if (nameFields.has(field) || !isObject(value)) return [];
    if (Array.isArray(value)) return nodes(value);
    // The window of a call has no type of its own.
    return field === "over" ? [{ WindowDef: value }] : [value];
  });
}

const nameFields = new Set(["funcname", "name", "typeName", "collname", "operName"]);

/** The name that Postgres gives a column, where it is clear; "" elsewhere. */
export function outputName(node: unknown): string {
  const [type, fields] = typed(node);
  if (type === "ColumnRef") return strings(fields.fields).at(-1) ?? "";
  if (type === "FuncCall") return strings(fields.funcname).at(-1) ?? "";
  return "";
}

export const isStar = (node: unknown) => {
  const [type, fields] = typed(node);
  return type === "ColumnRef"
    ? nodes(fields.fields).some((part) => "A_Star" in part)
    : type === "A_Indirection" && nodes(fields.indirection).some((part) => "A_Star" in part);
};

export const isInteger = (node: unknown): boolean => {
  const [type, fields] = typed(node);
  return (
    (type === "A_Const" && fields.ival !== undefined) || (isNegated(type, fields) && isInteger(fields.rexpr))
  );
};
const isNegated = (type: string, fields: Fields) =>
  type === "A_Expr" && fields.lexpr === undefined && strings(fields.name).join() === "-";
/** The parser leaves out a zero. */
export const integerOf = (node: unknown): number => {
  const [type, fields] = typed(node);
  return isNegated(type, fields) ? -integerOf(fields.rexpr) : Number(untyped(fields.ival).ival ?? 0);
};
