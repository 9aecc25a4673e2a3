/* What a contract could be instead: its source with one operator, condition, value or statement changed. */

type Parts = "condition" | "leftExpression" | "rightExpression" | "leftHandSide" | "rightHandSide";
type Node = { nodeType: string; src: string; kind?: string; operator?: string } & { [Part in Parts]?: Node };
export type Mutant = { file: string; line: number; code: string; from: string; to: string; source: string };

const otherOperators = new Map(
  "< <=,<= <,> >=,>= >,== !=,!= ==,+ -,- +,* /,/ *,&& ||,|| &&,+= -=,-= +=,++ --"
    .split(",")
    .map((pair) => pair.split(" ") as [string, string]),
);

const deletable = ["ExpressionStatement", "EmitStatement", "IfStatement", "TryStatement", "Return"];

/** Returns what a part of the source could be instead. */
function* replacements(node: Node, text: string): Generator<string> {
  const { nodeType, kind, condition, operator = "" } = node;
  if (nodeType === "ModifierInvocation" && kind !== "baseConstructorSpecifier") yield "";
  // A statement's semicolon isn't part of it, so something must stand before it.
  if (deletable.includes(nodeType)) yield text.endsWith("}") ? "{}" : "true";
  const other = otherOperators.get(operator);
  const left = node.leftExpression ?? node.leftHandSide;
  const right = node.rightExpression ?? node.rightHandSide;
  if (other !== undefined && left && right)
    yield `${textOf(left, node, text)} ${other} ${textOf(right, node, text)}`;
  else if (other !== undefined) yield text.replace(operator, other);
  if (nodeType === "UnaryOperation" && operator === "!") yield text.slice(1);
  if (condition !== undefined && condition.nodeType !== "BinaryOperation") {
    const code = textOf(condition, node, text);
    yield text.replace(code, () => `!(${code})`);
  }
  if (nodeType === "Literal" && kind === "number") yield `(${text} + 1)`;
  if (nodeType === "Literal" && kind === "bool") yield text === "true" ? "false" : "true";
  if (text === "msg.sender") yield "tx.origin";
  if (text === "Math.Rounding.Ceil") yield "Math.Rounding.Floor";
}

function textOf(part: Node, within: Node, text: string): string {
  const [start = 0, length = 0] = part.src.split(":").map(Number);
  const from = start - Number(within.src.split(":")[0]);
  return text.slice(from, from + length);
}

function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== "object" || value === null) return;
  if ("nodeType" in value && "src" in value) yield value as Node;
  for (const part of Object.values(value)) yield* nodesIn(part);
}

/** Yields the mutants of a file, given what the compiler made of it. */
export function* mutantsOf(file: string, source: string, ast: unknown): Generator<Mutant> {
  const bytes = Buffer.from(source);
  for (const node of nodesIn(ast)) {
    const [start = 0, length = 0] = node.src.split(":").map(Number);
    const from = bytes.subarray(start, start + length).toString();
    const [before, after] = [bytes.subarray(0, start).toString(), bytes.subarray(start + length).toString()];
    const line = before.split("\n").length;
    const code = source.split("\n")[line - 1]?.trim() ?? "";
    for (const to of replacements(node, from)) {
      yield { file, line, code, from, to, source: before + to + after };
    }
  }
}
