import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import solc from "solc";
import { startVitest } from "vitest/node";
import { standardInput } from "./compiler.ts";

/*
 * `npm run contracts:mutate [-- LaunchToken.sol Launchpad.sol:210 …]`: changes the contracts in one place after another, and runs their
 * tests against each change. One that no test notices must be explained in surviving-mutants.json.
 */

/** The quick ones first, since most changes fail at once. What costs gas says nothing about what a call does, so it isn't here. */
const testFiles = [
  [
    "launchpad",
    "token-factory",
    "contract-callers",
    "launch-token",
    "permit",
    "first-buy",
    "launchpad-recipients",
  ],
  ["launchpad-refusals", "launchpad-reentrancy", "deploy", "graduation"],
  ["graduation-attacks", "launchpad-properties"],
];

type Parts = "condition" | "leftExpression" | "rightExpression" | "leftHandSide" | "rightHandSide";
type Node = { nodeType: string; src: string; kind?: string; operator?: string } & { [Part in Parts]?: Node };
type Mutant = { file: string; line: number; code: string; from: string; to: string; source: string };

const knownSurvivors: (Pick<Mutant, "file" | "code" | "from" | "to"> & { why: string })[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "surviving-mutants.json"), "utf8"),
);

const otherOperators = new Map(
  "< <=,<= <,> >=,>= >,== !=,!= ==,+ -,- +,* /,/ *,&& ||,|| &&,+= -=,-= +=,++ --"
    .split(",")
    .map((pair) => pair.split(" ") as [string, string]),
);

/** What takes the place of a deleted statement. */
const deletions: Record<string, string> = { Expression: "true", Emit: "true", If: "{}", Try: "{}" };

/** Returns what a part of the source could be instead. */
function* replacements(node: Node, text: string): Generator<string> {
  const { nodeType, kind, condition, operator = "" } = node;
  if (nodeType === "ModifierInvocation" && kind !== "baseConstructorSpecifier") yield "";
  const deletion = deletions[nodeType.replace("Statement", "")];
  if (deletion !== undefined) yield deletion;
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

function* mutantsOf(file: string, source: string, ast: unknown): Generator<Mutant> {
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

const input = standardInput(import.meta.dirname, "contracts/TokenFactory.sol") as {
  sources: Record<string, { content: string }>;
  settings: object;
};

/** Leaves out what takes the compiler most of its time, and keeps what the deployment's gas limit needs. */
const optimizer = {
  enabled: true,
  details: { peephole: true, jumpdestRemover: true, orderLiterals: true, deduplicate: true, yul: false },
};

function compile(sources: typeof input.sources, outputSelection: object) {
  const settings = { ...input.settings, optimizer, outputSelection };
  return JSON.parse(solc.compile(JSON.stringify({ ...input, sources, settings })));
}

const names = ["TokenFactory", "Launchpad", "LaunchToken"];
const bytecodes = Object.fromEntries(
  names.map((name) => [`contracts/${name}.sol`, { [name]: ["evm.bytecode.object"] }]),
);

function bytecodesOf(sources: typeof input.sources): string[] | undefined {
  const { contracts } = compile(sources, bytecodes);
  return contracts && names.map((name) => contracts[`contracts/${name}.sol`][name].evm.bytecode.object);
}

/** A copy of the project in which the contracts' artifacts change. */
const copy = mkdtempSync(join(tmpdir(), "mutation-test-"));
const root = join(import.meta.dirname, "..");
for (const folder of ["abis", "chain-access", "config", "contracts", "local", "test", "package.json"]) {
  cpSync(join(root, folder), join(copy, folder), { recursive: true });
}
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

async function passesTests(objects: string[]): Promise<boolean> {
  for (const [index, name] of names.entries()) {
    const path = join(copy, `contracts/artifacts/${name}.json`);
    const artifact = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...artifact, bytecode: `0x${objects[index]}` }));
  }
  for (const files of testFiles) {
    const vitest = await startVitest("test", [], {
      ...{ root: copy, config: false, watch: false, bail: 1, isolate: false, fileParallelism: false },
      include: files.map((name) => `contracts/${name}.test.ts`),
      setupFiles: ["test/run/worker.setup.ts"],
      ...{ reporters: [{}], testTimeout: 120_000, hookTimeout: 120_000 },
    });
    const failed = vitest.state.getCountOfFailedTests() + vitest.state.getUnhandledErrors().length;
    const ran = vitest.state.getFiles().length;
    await vitest.close();
    if (failed > 0 || vitest.state.getFailedFilepaths().length > 0) return false;
    if (ran === 0) throw new Error("no test ran");
  }
  return true;
}

process.exitCode = await main().finally(() => rmSync(copy, { recursive: true, force: true }));
process.exit();

async function main(): Promise<number> {
  const chosen = process.argv.slice(2);
  const original = bytecodesOf(input.sources) ?? [];
  if (chosen.length === 0 && !(await passesTests(original)))
    throw new Error("the tests fail without any change");
  const asts = compile(input.sources, { "*": { "": ["ast"] } }).sources;
  const counts = { "don't compile": 0, "have the same bytecode": 0, killed: 0, explained: 0, survived: 0 };
  for (const path of Object.keys(input.sources).filter((each) => /^contracts\/\w+\.sol$/.test(each))) {
    const file = path.slice("contracts/".length);
    if (!existsSync(join(import.meta.dirname, file))) continue;
    for (const mutant of mutantsOf(file, input.sources[path]?.content ?? "", asts[path].ast)) {
      const names = [file, `${file}:${mutant.line}`];
      if (chosen.length > 0 && !names.some((name) => chosen.includes(name))) continue;
      const outcome = await outcomeOf(path, mutant, original);
      counts[outcome] += 1;
      const { line, from, to } = mutant;
      if (outcome !== "don't compile") console.log(`${outcome}: ${file}:${line}: ${from} → ${to}`);
    }
  }
  console.log(counts);
  return counts.survived;
}

async function outcomeOf(path: string, { file, code, from, to, source }: Mutant, original: string[]) {
  const objects = bytecodesOf({ ...input.sources, [path]: { content: source } });
  if (objects === undefined) return "don't compile";
  if (objects.join() === original.join()) return "have the same bytecode";
  if (!(await passesTests(objects))) return "killed";
  const key = [file, code, from, to].join("\n");
  const isKnown = knownSurvivors.some(
    (known) => [known.file, known.code, known.from, known.to].join("\n") === key,
  );
  return isKnown ? "explained" : "survived";
}
