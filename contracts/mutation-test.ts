import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import solc from "solc";
import { createVitest, type TestSpecification } from "vitest/node";
import { standardInput } from "./compiler.ts";

/* What a contract could be instead: its source with one operator, condition, value or statement changed. */

type Parts = "condition" | "leftExpression" | "rightExpression" | "leftHandSide" | "rightHandSide";
type Node = { nodeType: string; src: string; kind?: string; operator?: string } & { [Part in Parts]?: Node };
type Mutant = { file: string; line: number; code: string; from: string; to: string; source: string };

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

/*
 * `npm run contracts:mutate [-- LaunchToken.sol Launchpad.sol:210 …]`: changes the contracts in one place after another, and runs their
 * tests against each change until one fails. A change that no test notices must be explained in surviving-mutants.json.
 */

/** What costs gas says nothing about what a call does, so it isn't here. */
const quickTests = [
  ...["launchpad", "token-factory", "launchpad-recipients", "launch-token", "first-buy"],
  ...["launchpad-refusals", "permit", "contract-callers", "launchpad-reentrancy"],
];
const slowTests = ["graduation-attacks", "graduation", "deploy", "launchpad-properties"];

/** How many mutants are tested at once. While the compiler works on one, the tests of the other run. */
const lanes = 2;

const knownSurvivors: (Pick<Mutant, "file" | "code" | "from" | "to"> & { why: string })[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "surviving-mutants.json"), "utf8"),
);

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

/** Prepares a copy of the project in which the contracts' artifacts change. */
async function createLane() {
  const copy = mkdtempSync(join(tmpdir(), "mutation-test-"));
  const root = join(import.meta.dirname, "..");
  for (const folder of ["abis", "chain-access", "config", "contracts", "local", "test", "package.json"]) {
    cpSync(join(root, folder), join(copy, folder), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  writeFileSync(
    join(copy, "fail-fast.setup.ts"),
    'import fc from "fast-check"; fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });',
  );
  const testFiles = [...quickTests, ...slowTests].map((name) => join(copy, `contracts/${name}.test.ts`));
  const position = ({ moduleId }: TestSpecification) => testFiles.indexOf(moduleId);
  const vitest = await createVitest("test", {
    ...{ root: copy, config: false, watch: false, bail: 1, isolate: false, fileParallelism: false },
    include: testFiles,
    setupFiles: ["test/run/worker.setup.ts", "fail-fast.setup.ts"],
    ...{ reporters: [{}], testTimeout: 120_000, hookTimeout: 120_000, teardownTimeout: 120_000 },
    sequence: {
      sequencer: class {
        sort = (files: TestSpecification[]) => files.sort((a, b) => position(a) - position(b));
        shard = (files: TestSpecification[]) => files;
      },
    },
  });
  const specifications = await vitest.globTestSpecifications();
  if (specifications.length !== testFiles.length) throw new Error("a test file is missing");

  /** Returns the test that fails, with its message, or undefined if all pass. */
  async function firstFailure(objects: string[]): Promise<string | undefined> {
    for (const [index, name] of names.entries()) {
      const path = join(copy, `contracts/artifacts/${name}.json`);
      const artifact = JSON.parse(readFileSync(path, "utf8"));
      writeFileSync(path, JSON.stringify({ ...artifact, bytecode: `0x${objects[index]}` }));
    }
    // It would count the failures of the mutant before.
    vitest.state.idMap.clear();
    vitest.state.filesMap.clear();
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    for (const module of testModules) {
      const [test] = module.children.allTests("failed");
      const suites = [module, ...module.children.allSuites()];
      const [error] = test?.result().errors ?? suites.flatMap((suite) => suite.errors());
      if (error === undefined) continue;
      // What notices a change mostly notices the next one too.
      const index = testFiles.indexOf(module.moduleId);
      if (index < quickTests.length) testFiles.unshift(...testFiles.splice(index, 1));
      return [module.relativeModuleId, test?.fullName ?? "its setup", error.message].join(": ");
    }
    const [unhandled] = unhandledErrors as { message?: string }[];
    if (unhandled) return `no test: ${unhandled.message}`;
    if (testModules.some((module) => module.state() !== "passed")) throw new Error("not every test ran");
    return undefined;
  }

  async function close() {
    await vitest.close();
    rmSync(copy, { recursive: true, force: true });
  }
  return { firstFailure, close };
}

process.exit(await main());

async function main(): Promise<number> {
  const chosen = process.argv.slice(2);
  const original = bytecodesOf(input.sources) ?? [];
  const mutants = allMutants().filter(
    ({ file, line }) => chosen.length === 0 || chosen.includes(file) || chosen.includes(`${file}:${line}`),
  );
  if (mutants.length === 0) throw new Error(`nothing can be changed in ${chosen.join(", ")}`);
  const counts = {
    "doesn't compile": 0,
    "same bytecode": 0,
    killed: 0,
    explained: 0,
    survived: 0,
    "timed out": 0,
  };
  async function testMutants() {
    const lane = await createLane();
    try {
      // A test that fails anyway would kill every mutant.
      const failure = await lane.firstFailure(original);
      if (failure !== undefined) throw new Error(`unchanged contracts fail: ${failure}`);
      for (let mutant = mutants.shift(); mutant; mutant = mutants.shift()) {
        const { outcome, by } = await outcomeOf(mutant, original, lane);
        counts[outcome] += 1;
        const change = `${mutant.from} → ${mutant.to}`.replaceAll(/\s+/g, " ");
        console.log(`${outcome}: ${mutant.file}:${mutant.line}: ${change}`, by?.split("\n")[0] ?? "");
      }
    } finally {
      await lane.close();
    }
  }
  await Promise.all(Array.from({ length: lanes }, testMutants));
  console.log(counts);
  return counts.survived + counts["timed out"] > 0 ? 1 : 0;
}

function allMutants(): Mutant[] {
  const asts = compile(input.sources, { "*": { "": ["ast"] } }).sources;
  return Object.keys(input.sources)
    .filter((path) => /^contracts\/\w+\.sol$/.test(path))
    .flatMap((path) => [
      ...mutantsOf(path.slice("contracts/".length), input.sources[path]?.content ?? "", asts[path].ast),
    ]);
}

async function outcomeOf(mutant: Mutant, original: string[], lane: Awaited<ReturnType<typeof createLane>>) {
  const { file, code, from, to, source } = mutant;
  const objects = bytecodesOf({ ...input.sources, [`contracts/${file}`]: { content: source } });
  if (objects === undefined) return { outcome: "doesn't compile" } as const;
  if (objects.join() === original.join()) return { outcome: "same bytecode" } as const;
  let by = await lane.firstFailure(objects);
  // A busy machine proves nothing.
  const isTimeout = () => /timed out|Timeout|took too long|Failed to start/.test(by ?? "");
  if (isTimeout()) by = await lane.firstFailure(objects);
  if (by) return { outcome: isTimeout() ? "timed out" : "killed", by } as const;
  const key = [file, code, from, to].join();
  const isKnown = knownSurvivors.some(
    (known) => [known.file, known.code, known.from, known.to].join() === key,
  );
  return { outcome: isKnown ? "explained" : "survived" } as const;
}
