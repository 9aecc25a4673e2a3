import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, expect, test, vi } from "vitest";
import { sized } from "../run/long-run.ts";
import { type Anvil, accounts, startAnvil } from "./anvil.ts";

const running: Anvil[] = [];

async function start(options?: Parameters<typeof startAnvil>[0]) {
  const anvil = await startAnvil(options);
  running.push(anvil);
  return anvil;
}

const answers = (rpcUrl: string) =>
  fetch(rpcUrl, { method: "POST" }).then(
    () => true,
    () => false,
  );

afterEach(() => Promise.all(running.splice(0).map((anvil) => anvil.stop())));

test("each anvil is a separate chain with funded accounts, by default with BNB Smart Chain's id", async () => {
  const [first, second] = await Promise.all([start(), start({ chainId: 97 })]);
  expect(await first.publicClient.getChainId()).toBe(56);
  expect(await second.publicClient.getChainId()).toBe(97);
  for (const { address } of accounts) {
    expect(await first.publicClient.getBalance({ address })).toBe(10_000n * 10n ** 18n);
  }
  const hash = await first.walletClients[0]?.sendTransaction({ to: accounts[1]?.address ?? null, value: 1n });
  const receipt = await first.publicClient.waitForTransactionReceipt({ hash: hash as `0x${string}` });
  expect(receipt.status).toBe("success");
});

test("flags are passed on, and stop lets anvil write its state", async () => {
  const folder = mkdtempSync(join(tmpdir(), "anvil-"));
  const state = join(folder, "state.json");
  const anvil = await start({ args: ["--timestamp", "1700000000", "--state", state] });
  const { timestamp } = await anvil.publicClient.getBlock({ blockNumber: 0n });
  expect(timestamp).toBe(1_700_000_000n);
  await anvil.stop();
  expect(existsSync(state)).toBe(true);
  rmSync(folder, { recursive: true });
});

test("stop and crash resolve once the process has ended, and can be repeated", async () => {
  for (const end of ["stop", "crash"] as const) {
    const anvil = await start();
    await anvil[end]();
    expect(await answers(anvil.rpcUrl)).toBe(false);
    await anvil[end]();
  }
});

test("the state of old blocks is not written to disk", async () => {
  const folder = mkdtempSync(join(tmpdir(), "anvil-home-"));
  vi.stubEnv("HOME", folder);
  vi.stubEnv("TMPDIR", folder);
  const anvil = await start().finally(() => vi.unstubAllEnvs());
  await anvil.testClient.mine({ blocks: 1_000 });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.map(({ name }) => name)).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

test("startAnvil rejects with anvil's own message if anvil can't start", async () => {
  const { port } = await start();
  await expect(start({ port })).rejects.toThrow("already in use");
  await expect(start({ args: ["--no-such-flag"] })).rejects.toThrow("--no-such-flag");
});

test.each(sized<NodeJS.Signals[]>({ usual: ["SIGKILL"], long: ["SIGKILL", "SIGTERM", "SIGINT"] }))(
  "anvil ends if %s ends the process that started it",
  async (signal) => {
    const module = JSON.stringify(join(import.meta.dirname, "anvil.ts"));
    const script = `const { rpcUrl } = await (await import(${module})).startAnvil(); console.log(rpcUrl);`;
    const parent = spawn(process.execPath, ["--input-type=module", "--eval", script]);
    const [rpcUrl] = (await once(createInterface(parent.stdout), "line")) as [string];
    expect(await answers(rpcUrl)).toBe(true);
    parent.kill(signal);
    expect(await once(parent, "exit")).toEqual([null, signal]);
    await expect.poll(() => answers(rpcUrl)).toBe(false);
  },
);

test("a stopped anvil doesn't keep the process that started it alive", async () => {
  const module = JSON.stringify(join(import.meta.dirname, "anvil.ts"));
  const script = `await (await (await import(${module})).startAnvil()).stop();`;
  const parent = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  expect(await once(parent, "exit")).toEqual([0, null]);
});
