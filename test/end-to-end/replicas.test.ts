import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../runtime/checks/port.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { until } from "../service/condition.ts";
import { createDatabase, type TestDatabase } from "../service/database.ts";
import { type Program, runProgram, survivorsOf } from "../service/program.ts";

/* `npm start` with two `npm run serve` beside it, on one Postgres: they must serve and register as one. */

const script = (name: string) => path.join(projectDir, "runtime", name);

let chain: LaunchpadChain;
let database: TestDatabase;
let env: Record<string, string>;
const programs: Program[] = [];
const urls: string[] = [];

async function run(name: string): Promise<string> {
  const port = await freePort();
  programs.push(runProgram(script(name), { env: { ...env, PORT: String(port) } }));
  const url = `http://127.0.0.1:${port}`;
  await until(`${name} to answer`, async () => (await fetch(`${url}/ready`).catch(() => undefined))?.ok);
  urls.push(url);
  return url;
}

beforeAll(async () => {
  chain = await startLaunchpadChain();
  database = await createDatabase();
  env = {
    DATABASE_URL: database.url,
    PONDER_RPC_URL_56: chain.rpcUrl,
    POLLING_INTERVAL_56: "100",
    TOKEN_FACTORY_ADDRESS_56: chain.deployment.tokenFactory,
    LAUNCHPAD_ADDRESS_56: chain.deployment.launchpad,
    START_BLOCK_56: String(chain.deployment.startBlock),
    RATE_LIMIT_STORE: "postgres",
    RATE_LIMIT_WRITES: "40",
  };
});

afterAll(async () => {
  const left = programs.flatMap((program) => program.descendants());
  for (const program of programs) program.kill("SIGTERM");
  await Promise.all(programs.map(({ exited }) => exited));
  expect(await survivorsOf(left, 30_000)).toEqual([]);
  await database?.drop();
  await chain?.stop();
});

const get = async <Answer>(url: string) => (await (await fetch(url)).json()) as Answer;

function post(url: string, body: object): Promise<Response> {
  return fetch(`${url}/api/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

test("a replica without an index to serve says what to do", async () => {
  const program = runProgram(script("serve.ts"), { env: { ...env, PORT: String(await freePort()) } });
  expect(await program.exited).toBe(1);
  expect(program.output()).toMatch(/the schema onchain of this database has no index: run npm start/);
});

test("what one registers all list, at once; one token is registered once, whoever is asked", async () => {
  await run("start.ts");
  await Promise.all([run("serve.ts"), run("serve.ts")]);
  const [creator] = chain.traders;

  for (let round = 0; round < 3; round++) {
    const mint = await chain.create(creator, `Round ${round}`, "RND");
    const body = { mint, name: `Round ${round}`, symbol: "RND", creator, burnPercent: 50 };
    // All at the same moment, before the block is indexed: one writes, the others find it written.
    const answers = await Promise.all(urls.map((url) => post(url, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    const other = urls[(round + 1) % urls.length] as string;
    expect((await post(other, { ...body, description: "another" })).status).toBe(409);

    await until("the token to be listed", async () => {
      const [first] = await Promise.all(
        urls.map((url) => get<{ total: number }>(`${url}/api/tokens?mint=${mint}`)),
      );
      return first?.total === 1;
    });
    for (const url of urls) {
      const list = await get<{ tokens: { mint: string }[]; total: number }>(`${url}/api/tokens`);
      expect([list.total, list.tokens[0]?.mint]).toEqual([round + 1, mint.toLowerCase()]);
    }
  }
});

test("what is hidden with a command is hidden by all at once", async () => {
  const mint = await chain.create(chain.traders[0], "Hidden", "HID");
  const body = { mint, name: "Hidden", symbol: "HID", creator: chain.traders[0], burnPercent: 50 };
  expect((await post(urls[0] as string, body)).status).toBe(201);
  const answers = () =>
    Promise.all(
      urls.map(async (url) => [
        (await get<{ total: number }>(`${url}/api/tokens?mint=${mint}`)).total,
        (await fetch(`${url}/api/metadata/${mint}`)).status,
      ]),
    );
  const all = (answer: number[]) => urls.map(() => answer);
  await until("the token to be listed", async () => `${await answers()}` === `${all([1, 200])}`);
  const moderate = (...args: string[]) =>
    runProgram(path.join(projectDir, "tools/moderate/moderate.ts"), { env, args }).exited;
  expect(await moderate("hide", mint, "--reason", "a test")).toBe(0);
  expect(await answers()).toEqual(all([0, 451]));
  expect(await moderate("unhide", mint)).toBe(0);
  expect(await answers()).toEqual(all([1, 200]));
});

test("they count a client's requests together", async () => {
  const remaining = async (url: string) => {
    const response = await post(url, {});
    return Number(response.headers.get("RateLimit")?.match(/r=(\d+)/)?.[1]);
  };
  const first = await remaining(urls[0] as string);
  expect(await remaining(urls[1] as string)).toBe(first - 1);
  expect(await remaining(urls[2] as string)).toBe(first - 2);
});

test("a replica goes on when the indexer stops, and lists what is registered meanwhile", async () => {
  const [starter] = programs as [Program, ...Program[]];
  // The first program has ended in the test above; the second is npm start.
  const indexer = programs.find((program) => program.output().includes("everything is indexed")) ?? starter;
  const mint = await chain.create(chain.traders[0], "Left behind", "LEFT");
  await until("the token to be indexed", async () => (await fetch(`${urls[1]}/api/curve/${mint}`)).ok);
  indexer.kill("SIGTERM");
  await indexer.exited;

  const body = { mint, name: "Left behind", symbol: "LEFT", creator: chain.traders[0], burnPercent: 50 };
  expect((await post(urls[1] as string, body)).status).toBe(201);
  expect(await get(`${urls[2]}/api/tokens?mint=${mint}`)).toMatchObject({ total: 1 });
});
