import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readEnvironment } from "../../config/env.ts";
import { checkChains } from "../../runtime/checks/check-chains.ts";
import { freePort } from "../../runtime/checks/host.ts";
import { projectDir, whenIndexed } from "../../runtime/ponder/ponder.ts";
import { startPostgres } from "../../runtime/postgres/start-postgres.ts";
import { startAnvil } from "../chain/anvil.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { startPriceFeed } from "../chain/price-feed.ts";
import { startRpcGate } from "../doubles/rpc-gate.ts";
import { startTcpGate } from "../doubles/tcp-gate.ts";
import { differences } from "../reference-market/reconcile.ts";
import { isLong, onlyInLongRun, sized } from "../run/long-run.ts";
import { until } from "../service/condition.ts";
import { createDatabase, type OpenDatabase, openDatabase, type TestDatabase } from "../service/database.ts";
import { copyPostgresHome } from "../service/postgres-home.ts";
import { type Program, runProgram, survivorsOf } from "../service/program.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/* `npm start` as a self-hoster runs it: the real script, in its own process. */

const script = path.join(projectDir, "runtime/start.ts");

test("without a configured chain it says what to set, and that the local stack needs nothing", async () => {
  const program = runProgram(script);
  expect(await program.exited).toBe(1);
  const lines = program.messages().trim().split("\n");
  expect(lines).toHaveLength(1);
  for (const word of [
    "PONDER_RPC_URL_56",
    "TOKEN_FACTORY_ADDRESS_56",
    "START_BLOCK_56",
    "_97",
    "npm run dev",
  ]) {
    expect(lines[0]).toContain(word);
  }
});

onlyInLongRun(() => {
  test("an incomplete chain is refused, with each missing variable named", async () => {
    const program = runProgram(script, {
      env: { PONDER_RPC_URL_97: "http://127.0.0.1:1", START_BLOCK_97: "1" },
    });
    expect(await program.exited).toBe(1);
    expect(program.messages()).toMatch(
      /^TOKEN_FACTORY_ADDRESS_97 is missing: .+\nLAUNCHPAD_ADDRESS_97 is missing: /,
    );
  });
});

describe("with a chain", () => {
  let chain: LaunchpadChain;
  let database: TestDatabase;
  let env: Record<string, string>;
  let place: Awaited<ReturnType<typeof temporaryFolder>>;
  let service: Program;

  beforeAll(async () => {
    chain = await startLaunchpadChain();
    await chain.trade(6, { blocks: 15, actionsPerBlock: 10, creations: 0.02 });
  });
  afterAll(() => chain.stop());

  beforeEach(async () => {
    [place, database] = await Promise.all([temporaryFolder(), createDatabase()]);
    env = {
      PORT: String(await freePort()),
      DATABASE_URL: database.url,
      DATA_DIR: place.folder,
      PONDER_RPC_URL_56: chain.rpcUrl,
      POLLING_INTERVAL_56: "100",
      TOKEN_FACTORY_ADDRESS_56: chain.deployment.tokenFactory,
      LAUNCHPAD_ADDRESS_56: chain.deployment.launchpad,
      START_BLOCK_56: String(chain.deployment.startBlock),
    };
  });
  afterEach(async () => {
    const left = service.descendants();
    service.kill("SIGTERM");
    await service.exited;
    expect(await survivorsOf(left, 0)).toEqual([]);
    await database.drop();
    await place.remove();
  });

  const statusOf = (pathname: string) =>
    fetch(`http://127.0.0.1:${env.PORT}${pathname}`).then(
      (response) => response.status,
      () => undefined,
    );
  const get = async (pathname: string) => {
    const response = await fetch(`http://127.0.0.1:${env.PORT}${pathname}`);
    return { status: response.status, body: await response.json() };
  };
  /** Resolves once the service says that it waits for the chain. */
  async function untilChainUnavailable(): Promise<void> {
    await until("the service to wait for the chain", async () => {
      const { status, body } = await get("/ready").catch(() => ({ status: 0, body: {} }));
      return status === 503 && (body as { code?: string }).code === "chain_unavailable";
    });
    expect(await statusOf("/health")).toBe(200);
  }
  /** Connects anew again and again until the service is ready. Returns what it answered, each change once. */
  async function answersUntilReady(): Promise<string[]> {
    const answers: string[] = [];
    const ask = async () => {
      const answer = await fetch(`http://127.0.0.1:${env.PORT}/ready`, { headers: { connection: "close" } });
      const isProblem = answer.headers.get("content-type") === "application/problem+json";
      return `${answer.status}${isProblem && answer.headers.has("retry-after") ? " with Retry-After" : ""}`;
    };
    await until("the service to be ready", async () => {
      const answer = await ask().catch(() => "refused");
      if (answer !== answers.at(-1)) answers.push(answer);
      return answer === "200";
    });
    return answers;
  }
  const untilReady = () => until("the service to be ready", async () => (await statusOf("/ready")) === 200);
  const untilIndexed = async () =>
    whenIndexed(`http://127.0.0.1:${env.PORT}`, Number(await chain.head()), AbortSignal.timeout(300_000));
  async function untilIndexEqualsChain(priceFeeds: `0x${string}`[] = [], own: OpenDatabase = database) {
    // Waiting for the block is much cheaper than comparing in a loop.
    await untilIndexed();
    await until(
      "the index to equal the chain",
      async () => (await differences({ ...chain, database: own, priceFeeds })).length === 0,
    );
  }
  /** Checks the log of a service with `LOG_FORMAT=json` and `ACCESS_LOG=on`. */
  async function expectJsonLog(): Promise<void> {
    const headers = { "x-request-id": "trace-1" };
    const answer = await fetch(`http://127.0.0.1:${env.PORT}/api/token/wrong`, { headers });
    expect(answer.headers.get("x-request-id")).toBe("trace-1");
    expect(await answer.json()).toMatchObject({ status: 400, requestId: "trace-1" });
    await service.untilOutput('"request_id":"trace-1"');
    const lines = service
      .output()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const atTime = {
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      level: expect.stringMatching(/^(info|warn)$/),
    };
    for (const line of lines) expect(line).toMatchObject({ ...atTime, msg: expect.stringMatching(/./) });
    expect(lines).toContainEqual(
      expect.objectContaining({ url: "/api/token/wrong", status: 400, request_id: "trace-1" }),
    );
    // Of Ponder, of our code beside it, and of this process.
    const messages = lines.map(({ msg }) => String(msg));
    for (const beginning of ["Completed backfill indexing", "Started live indexing", "The API is at http"]) {
      expect(messages).toContainEqual(expect.stringContaining(beginning));
    }
    expect(messages).not.toContainEqual(expect.stringMatching(/^Indexed block( range)?$/));
    expect(service.output()).not.toContain(new URL(database.url).password);
  }
  /** Stops the service, and fails if any of its processes survives. */
  async function end(signal: NodeJS.Signals): Promise<void> {
    const left = service.descendants();
    service.kill(signal);
    await service.exited;
    expect(await survivorsOf(left, 30_000)).toEqual([]);
  }

  const titles = {
    usual: "a start is ready once it has indexed; a changed deployment requires a new schema",
    long: "a quick restart resumes at once with its original price feed; a changed deployment requires a new schema, which keeps registrations",
  };
  test(sized(titles), async () => {
    const feed = await startPriceFeed(chain);
    await feed.answer(60_000_000_000n);
    const [creator, buyer] = chain.traders;
    const token = await chain.create(creator, "Priced", "PRC");
    await chain.buy(buyer, token, 10n ** 15n);
    // Configured with the address of its proxy.
    const priced = { ...env, BNB_USD_FEED_ADDRESS_56: feed.proxy };
    const rates = () =>
      database.query("select bnb_usd_x8 from onchain.trade where token = $1 order by id", [
        token.toLowerCase(),
      ]);
    service = runProgram(script, { env: { ...priced, LOG_FORMAT: "json", ACCESS_LOG: "on" } });
    expect(await answersUntilReady()).toEqual(["refused", "503 with Retry-After", "200"]);
    await untilIndexEqualsChain([feed.aggregator]);
    expect(await rates()).toEqual([{ bnb_usd_x8: "60000000000" }]);
    await expectJsonLog();

    if (isLong) {
      const next = await feed.nextPhase();
      await end("SIGTERM");
      service = runProgram(script, { env: priced });
      await untilReady();
      expect(service.output()).not.toContain("Schema is locked");
      expect(service.output()).toContain("Detected crash recovery");
      await service.untilOutput(
        `the feed has a new aggregator, ${next}, that the schema onchain was not started with`,
      );
      await feed.answer(70_000_000_000n, next);
      await chain.buy(buyer, token, 10n ** 15n);
      await untilIndexEqualsChain([feed.aggregator]);
      expect(await rates()).toEqual([{ bnb_usd_x8: "60000000000" }, { bnb_usd_x8: "60000000000" }]);
    }
    await end("SIGTERM");

    const changed = { ...priced, START_BLOCK_56: "0" };
    service = runProgram(script, { env: changed });
    expect(await service.exited).toBe(1);
    expect(service.output()).toContain("set DATABASE_SCHEMA to a new name, such as onchain_2");

    if (isLong) {
      await database.query(
        `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent)
         values (56, '0xaa', 'A', 'A', '0xbb', 50)`,
      );
      service = runProgram(script, { env: { ...changed, DATABASE_SCHEMA: "onchain_2" } });
      await untilIndexed();
      const rows = await database.query(
        `select (select count(*) from onchain.token) = (select count(*) from onchain_2.token) as same,
                (select count(*)::int from offchain.registration) as registrations`,
      );
      expect(rows).toEqual([{ same: true, registrations: 1 }]);
    }
  });

  onlyInLongRun(() => {
    test("a second service on the same schema serves, and takes over from one that is cut off from the database, of which nothing more is written, or killed", async () => {
      const { hostname, port } = new URL(database.url);
      const gate = await startTcpGate(hostname, Number(port));
      const gated = Object.assign(new URL(database.url), { host: `127.0.0.1:${gate.port}` }).href;
      const first = runProgram(script, { env: { ...env, DATABASE_URL: gated } });
      service = first;
      await untilReady();

      gate.close();
      await first.untilOutput("can't continue for now");
      await until("a problem in place of the API", async () => {
        const { status, body } = await get("/api/stats").catch(() => ({ status: 0, body: {} }));
        return status === 503 && (body as { code?: string }).code === "service_unavailable";
      });
      expect(await statusOf("/health")).toBe(200);
      gate.open();
      await untilReady();

      /** Starts the next service, and resolves once it serves what the present one indexes. */
      async function startStandby(): Promise<Program> {
        env.PORT = String(await freePort());
        const standby = runProgram(script, { env });
        await standby.untilOutput("this one serves it, and indexes once the other has gone");
        await untilReady();
        return standby;
      }
      const [creator, buyer] = chain.traders;
      const hasTakenOver = "has gone: this one indexes from now on";

      service = await startStandby();
      // Its API goes on, and may write once it is no longer cut off: the process that would stop it hangs.
      const indexer = first.descendants();
      first.kill("SIGSTOP");
      gate.freeze();
      const token = await chain.create(creator);
      await service.untilOutput(hasTakenOver);
      await untilReady();
      await untilIndexEqualsChain();
      gate.open();
      await chain.buy(buyer, token, 10n ** 15n);
      await untilIndexEqualsChain();
      first.kill("SIGCONT");
      expect(await first.exited).toBe(1);
      expect(first.output()).toContain("another process indexes into the schema");
      expect(await survivorsOf(indexer, 30_000)).toEqual([]);
      await untilIndexEqualsChain();
      await gate.stop();

      const second = service;
      service = await startStandby();
      const left = second.descendants();
      second.kill("SIGKILL");
      await service.untilOutput(hasTakenOver);
      expect(await survivorsOf(left, 30_000)).toEqual([]);
      await chain.buy(buyer, token, 10n ** 15n);
      await untilIndexEqualsChain();
    });
  });

  test("an endpoint of another chain, a missing deployment and a start block in the future are refused by name", async () => {
    const other = await startAnvil({ chainId: 97 });
    const checks = (wrong: Record<string, string>) =>
      checkChains(readEnvironment({ ...env, ...wrong }).chains);
    for (const [variable, value, what] of [
      ["PONDER_RPC_URL_56", other.rpcUrl, "the endpoint serves chain 97, and 56 is needed"],
      ["TOKEN_FACTORY_ADDRESS_56", chain.traders[0], "there is no contract at"],
      ["LAUNCHPAD_ADDRESS_56", chain.traders[0], "there is no contract at"],
      ["LAUNCHPAD_ADDRESS_56", chain.deployment.wbnb, "sells its tokens at"],
      ["TOKEN_FACTORY_ADDRESS_56", chain.deployment.wbnb, "sells tokens of"],
      ["START_BLOCK_56", "1000000", "the chain has only"],
    ] as const) {
      await expect(checks({ [variable]: value }), variable).rejects.toThrow(
        new RegExp(`^${variable} is wrong: .*${what}`),
      );
    }
    const remarks: string[] = [];
    const urls = [other, chain].flatMap(({ rpcUrl }) => [rpcUrl, rpcUrl.replace("http", "ws")]);
    const allUrls = urls.join(",");
    const { chains } = readEnvironment({ ...env, PONDER_RPC_URL_56: allUrls });
    expect(await checkChains(chains, (line) => remarks.push(line))).toMatchObject([
      { rpcUrls: [chain.rpcUrl], webSocketUrls: [chain.rpcUrl.replace("http", "ws")] },
    ]);
    expect(remarks).toEqual([
      "warning: endpoint 1 is not used until the next start: PONDER_RPC_URL_56 is wrong: endpoint 1 serves chain 97, and 56 is needed",
    ]);
    const { tokenFactory, launchpad } = chain.deployment;
    const exchanged = { TOKEN_FACTORY_ADDRESS_56: launchpad, LAUNCHPAD_ADDRESS_56: tokenFactory };
    await expect(checks(exchanged)).rejects.toThrow(/^TOKEN_FACTORY_ADDRESS_56 is wrong: .* Exchange them/);
    const warnings: string[] = [];
    const startingAt = (block: number) =>
      checkChains(readEnvironment({ ...env, START_BLOCK_56: String(block) }).chains, (line) =>
        warnings.push(line),
      );
    const { startBlock } = chain.deployment;
    await startingAt(startBlock);
    await startingAt(0);
    expect(warnings).toEqual([]);
    await startingAt(startBlock + 1);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^warning: START_BLOCK_56 is .* was deployed before that: .* are not indexed\. Set/,
      ),
    ]);
    // Each of them ends the command with a single line.
    service = runProgram(script, { env: { ...env, BNB_USD_FEED_ADDRESS_56: chain.deployment.wbnb } });
    expect(await service.exited).toBe(1);
    expect(service.messages()).toMatch(/^BNB_USD_FEED_ADDRESS_56 is wrong: .*is not a price feed.*\n$/);
    await other.stop();
  });

  onlyInLongRun(() => {
    test("with an endpoint that is down at the start and later, beside dead or broken ones, the service waits, loses nothing, and logs no key", async () => {
      const { gate, rpcUrl, stop } = await startBrokenEndpoints();
      service = runProgram(script, { env: { ...env, PONDER_RPC_URL_56: rpcUrl } });
      await service.untilOutput("endpoint 1 fails: connection failed: ECONNREFUSED");
      await until("requests that fail", async () => gate.refused() > 3);
      await untilChainUnavailable();
      expect(await get("/api/tokens")).toMatchObject({ status: 200, body: { tokens: [] } });
      gate.open();
      await untilReady();
      await untilIndexEqualsChain();

      gate.close();
      const [creator, buyer] = chain.traders;
      const token = await chain.create(creator);
      await chain.buy(buyer, token, 10n ** 15n);
      const refused = gate.refused();
      await until("requests that fail", async () => gate.refused() > refused + 3);
      gate.open();
      await untilIndexEqualsChain();
      expect(service.output()).not.toContain("SECRETKEY123");
      await stop();
    });

    test("a price feed and a restart wait for an endpoint too, and a database that is killed loses nothing", async () => {
      const { gate, rpcUrl, stop } = await startBrokenEndpoints();
      const dataDir = path.join(place.folder, "own postgres");
      await copyPostgresHome(dataDir);
      const first = await startPostgres({ dataDir });
      const waiting = { ...env, DATABASE_URL: first.url, PONDER_RPC_URL_56: rpcUrl };
      const feed = await startPriceFeed(chain);
      service = runProgram(script, { env: { ...waiting, BNB_USD_FEED_ADDRESS_56: feed.proxy } });
      await untilChainUnavailable();
      await end("SIGTERM");
      gate.open();
      service = runProgram(script, { env: waiting });
      await untilReady();
      const own = openDatabase(first.url);
      await untilIndexEqualsChain([], own);

      await end("SIGTERM");
      gate.close();
      service = runProgram(script, { env: waiting });
      await untilChainUnavailable();
      const [trade] = await own.query("select token from onchain.trade limit 1");
      expect(await get(`/api/curve/${trade?.token}`)).toMatchObject({ status: 200 });
      gate.open();
      await untilReady();

      process.kill(first.pid, "SIGKILL");
      await first.exited;
      const [creator, buyer] = chain.traders;
      const token = await chain.create(creator);
      for (let index = 0; index < 5; index++) await chain.buy(buyer, token, 10n ** 14n);
      await service.untilOutput("the database closed the connection");
      const second = await startPostgres({ dataDir, port: first.port });
      await untilReady();
      await untilIndexEqualsChain([], own);

      await end("SIGTERM");
      await own.close();
      await second.stop();
      await stop();
    });
  });

  /** A gate to the chain, closed at first, behind an endpoint that is dead and one that answers rubbish. */
  async function startBrokenEndpoints() {
    const rubbish = createServer((_, response) => response.writeHead(200).end("<html>busy</html>"));
    const dead = `http://127.0.0.1:${await freePort()}/v2/SECRETKEY123`;
    const gate = await startRpcGate(chain.rpcUrl);
    gate.close();
    return {
      gate,
      rpcUrl: [dead, await listen(rubbish), gate.url].join(","),
      async stop() {
        await gate.stop();
        await close(rubbish);
      },
    };
  }
});

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
