import assert from "node:assert/strict";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { LaunchpadChain } from "../../test/chain/launchpad-chain.ts";
import { until } from "../../test/service/condition.ts";
import { openEventStream } from "../../test/service/event-stream.ts";
import type { Program } from "../../test/service/program.ts";
import { registrationOf } from "../../test/service/registration.ts";
import type { Containers } from "./containers.ts";

type Setting = {
  site: string;
  chain: LaunchpadChain;
  containers: Containers;
  /** The proxy's configuration, and the command that runs Caddy in its container. */
  caddyfile: string;
  caddy: string;
  running: Map<string, Program>;
};

export const replicas = ["serve-1", "serve-2"];

/** Checks what clients get through the proxy. */
export async function checkProxy(setting: Setting): Promise<void> {
  const { site, chain, containers, running } = setting;
  const [creator, trader] = chain.traders;
  const mint = await chain.create(creator);
  await until("the token", async () => (await fetch(`${site}/api/curve/${mint}`)).ok);
  const registered = await fetch(`${site}/api/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(registrationOf(mint, creator)),
  });
  assert.equal(registered.status, 201);

  for (const encoding of ["gzip", "zstd"]) {
    const answer = await fetch(`${site}/api/openapi.json`, { headers: { "accept-encoding": encoding } });
    assert.equal(answer.headers.get("content-encoding"), encoding);
    await answer.body?.cancel();
  }
  console.log("answers are compressed");

  const send = async (path: string, megabytes: number) => {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(megabytes * 1_000_000)]), "a.png");
    const { status } = await fetch(site + path, { method: "POST", body: form });
    return status;
  };
  assert.equal(await send("/api/upload-image", 6.1), 413);
  // Passes the proxy: the service itself rejects it, as it is not an image.
  assert.equal(await send("/api/upload-image", 4.9), 415);
  assert.notEqual(await send("/mcp", 6.5), 413);
  assert.equal(await send("/mcp", 8.1), 413);
  console.log("bodies are limited to 6 MB, for agents to 8");

  const stream = await openEventStream(site, {});
  await stream.untilReady();
  await chain.buy(trader, mint, 10n ** 12n);
  await until("the trade on the open stream", async () =>
    stream.events.some(({ event }) => event === "trade"),
  );
  await stream.close();
  console.log("events arrive at once");

  const served = async (replica: string) => {
    const metrics = await (await fetch(`http://${replica}:9464/metrics`)).text();
    return [
      ...metrics.matchAll(/^ponder_http_server_request_duration_ms_count\{.*path="\/api\/tokens".* (\d+)/gm),
    ]
      .map(([, count]) => Number(count))
      .reduce((sum, count) => sum + count, 0);
  };
  const list = async () => assert.equal((await fetch(`${site}/api/tokens`)).status, 200);
  await until("both replicas to answer", async () => {
    await Promise.all(Array.from({ length: 10 }, list));
    return (await Promise.all(replicas.map(served))).every((count) => count > 0);
  });
  console.log("both replicas answer");

  const stopped = replicas[0] as string;
  const requests = (async () => {
    for (let request = 0; request < 200; request++) await list();
  })();
  running.get(stopped)?.kill("SIGTERM");
  await Promise.all([requests, running.get(stopped)?.exited]);
  console.log("no request fails when one replica stops");

  assert.notEqual((await fetch(`${site}/metrics`)).status, 200);
  const reach = `require("node:net").connect(5432, "${containers.addressOf("postgres", "database")}").setTimeout(2000, () => process.exit(1)).on("connect", () => process.exit(0)).on("error", () => process.exit(1))`;
  const tried = (service: string) =>
    containers.execute(service, ["/app/node_modules/node/bin/node", "-e", reach]).exited;
  assert.deepEqual([await tried("indexer"), await tried("proxy")], [0, 1]);
  console.log("the proxy reaches neither Postgres nor, for clients, the metrics");

  await checkReload(setting);
}

/** Replaces the configuration as editors do, by a new file of the same name. */
async function checkReload({ site, containers, caddyfile, caddy }: Setting): Promise<void> {
  const marked = readFileSync(caddyfile, "utf8").replace("\tencode ", "\theader X-Reloaded yes\n\tencode ");
  writeFileSync(`${caddyfile}.new`, marked);
  renameSync(`${caddyfile}.new`, caddyfile);
  const reload = containers.execute("proxy", [caddy, "reload", "--config", "/etc/caddy/Caddyfile"]);
  assert.equal(await reload.exited, 0, reload.output());
  await until("the new configuration", async () => {
    const answer = await fetch(`${site}/api/health`);
    await answer.body?.cancel();
    return answer.headers.get("x-reloaded") === "yes";
  });
  console.log("caddy reload applies a changed Caddyfile");
}

/** Ends every process behind the proxy, and checks what clients get then. */
export async function checkOutage({ site, chain, running }: Setting): Promise<void> {
  const end = async (service: string) => {
    running.get(service)?.kill("SIGTERM");
    assert.equal(await running.get(service)?.exited, 0);
  };
  await end("indexer");
  const left = replicas.filter((replica) => running.get(replica)?.hasExited() === false);
  // More than READY_MAX_LAG_SECONDS.
  await chain.testClient.increaseTime({ seconds: 600 });
  await chain.testClient.mine({ blocks: 1 });
  await until("the replicas to be behind", async () => {
    const answers = await Promise.all(left.map((replica) => fetch(`http://${replica}:42069/ready`)));
    return answers.every(({ status }) => status === 503);
  });
  for (let request = 0; request < 10; request++) {
    const answer = await fetch(`${site}/api/tokens`);
    assert.equal(answer.status, 200);
  }
  console.log("without an indexer, old data is served once no replica is ready");

  for (const replica of left) await end(replica);
  for (const options of [{}, { method: "POST", body: "{}" }]) {
    const answer = await fetch(`${site}/api/tokens`, options);
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get("retry-after"), "5");
    assert.equal(answer.headers.get("content-type"), "application/problem+json");
    assert.equal(((await answer.json()) as { code: string }).code, "service_unavailable");
  }
  console.log("without any process, the proxy answers 503 with a problem");
}
