import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import solc from "solc";
import { afterEach, beforeEach, expect, test } from "vitest";
import { onlyInLongRun } from "../test/run/long-run.ts";
import { compileContracts } from "./compiler.ts";
import { driftedFiles, generatedFiles } from "./generated-files.ts";

const root = join(import.meta.dirname, "..");
const compiled = compileContracts(import.meta.dirname);
const files = generatedFiles(compiled.contracts);
let copy: string;

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), "contracts-"));
});

afterEach(() => rmSync(copy, { recursive: true }));

test("the contracts compile without warnings, to the committed artifacts", () => {
  expect(compiled.messages).toEqual([]);
  expect(driftedFiles(root, files)).toEqual([]);
});

test("the factory and its creation code stay within the chain's size limits", () => {
  const bytes = (path: string) => ((compiled.contracts.get(path)?.bytecode.length ?? Number.NaN) - 2) / 2;
  expect(bytes("TokenFactory.sol")).toBeLessThan(49_152);
  expect(bytes("Launchpad.sol")).toBeLessThan(24_576);
});

onlyInLongRun(() => {
  test("the standard JSON input reproduces the bytecode of the deployed contracts, and has nothing else", () => {
    const text = files.get("contracts/artifacts/standard-input.json") ?? "";
    const input = JSON.parse(text);
    // It refers to nothing outside itself.
    const output = JSON.parse(solc.compile(text));
    expect(output.errors?.filter(({ severity }: { severity: string }) => severity === "error") ?? []).toEqual(
      [],
    );
    for (const name of ["TokenFactory", "Launchpad", "LaunchToken"]) {
      const { object } = output.contracts[`contracts/${name}.sol`][name].evm.bytecode;
      expect(`0x${object}`, name).toBe(compiled.contracts.get(`${name}.sol`)?.bytecode);
    }
    expect(Object.keys(input.sources).filter((path) => /test|local/.test(path))).toEqual([]);
    const compiler = JSON.parse(files.get("contracts/artifacts/compiler.json") ?? "");
    expect(compiler.version).toMatch(/^v0\.8\.37\+commit\.[0-9a-f]{8}$/);
  });
});

type Entry = { type: string; name: string; inputs: { type: string; name: string }[] };
type Doc = { notice?: string; details?: string; params?: Record<string, string> };
type Docs = Partial<Record<string, Record<string, Doc | Doc[]>>>;

test("every function, event and error of the interfaces has NatSpec, with each parameter", () => {
  const input = JSON.parse(files.get("contracts/artifacts/standard-input.json") ?? "");
  input.settings.outputSelection = { "*": { "*": ["abi", "userdoc", "devdoc"] } };
  const { contracts } = JSON.parse(solc.compile(JSON.stringify(input)));
  const undocumented: string[] = [];
  for (const name of ["ILaunchpad", "ITokenFactory", "ILaunchToken"]) {
    const { abi, userdoc, devdoc } = contracts[`contracts/interfaces/${name}.sol`][name] as {
      abi: Entry[];
      userdoc: Docs;
      devdoc: Docs;
    };
    for (const { type, name: entry, inputs } of abi) {
      const signature = `${entry}(${inputs.map((each) => each.type)})`;
      const kind = { function: "methods", event: "events", error: "errors" }[type] ?? type;
      const [user, dev] = [userdoc, devdoc].map((docs) => [docs[kind]?.[signature]].flat()[0]);
      // An error's parameters are named after what they are.
      const named = type === "error" ? [] : inputs.filter((each) => dev?.params?.[each.name] === undefined);
      if ((user?.notice ?? dev?.details) === undefined || named.length > 0)
        undocumented.push([name, signature, ...named.map((each) => each.name)].join(" "));
    }
  }
  expect(undocumented).toEqual([]);
});

test("driftedFiles names changed and missing files", () => {
  cpSync(join(root, "abis"), join(copy, "abis"), { recursive: true });
  cpSync(join(root, "contracts/artifacts"), join(copy, "contracts/artifacts"), { recursive: true });
  expect(driftedFiles(copy, files)).toEqual([]);

  writeFileSync(join(copy, "abis/Launchpad.ts"), "export const launchpadAbi = [] as const;\n");
  rmSync(join(copy, "contracts/artifacts/LaunchToken.json"));
  expect(driftedFiles(copy, files)).toEqual(["contracts/artifacts/LaunchToken.json", "abis/Launchpad.ts"]);
});

test("a comment doesn't change the bytecode, code does", () => {
  const source = (comment: string, amount: number) =>
    `// SPDX-License-Identifier: MIT\npragma solidity 0.8.37;\n/// ${comment}\ncontract Extra { uint256 public constant amount = ${amount}; }\n`;
  const bytecodeOf = (comment: string, amount: number) => {
    writeFileSync(join(copy, "Extra.sol"), source(comment, amount));
    return compileContracts(copy).contracts.get("Extra.sol")?.bytecode;
  };
  const bytecode = bytecodeOf("one", 1);
  expect(bytecode).toMatch(/^0x[0-9a-f]+$/);
  expect(bytecodeOf("two", 1)).toBe(bytecode);
  expect(bytecodeOf("two", 2)).not.toBe(bytecode);
});

test("an error in a contract throws the compiler's message", () => {
  writeFileSync(join(copy, "Broken.sol"), "pragma solidity 0.8.37;\ncontract Broken { uint256 x = y; }\n");
  expect(() => compileContracts(copy)).toThrow("Undeclared identifier");
});
