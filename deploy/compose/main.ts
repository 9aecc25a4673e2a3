// Starts the services of compose.yaml in the namespaces that test-compose.sh creates, and checks what clients get through the proxy.

import assert from "node:assert/strict";
import net from "node:net";
import path from "node:path";
import { startLaunchpadChain } from "../../test/chain/launchpad-chain.ts";
import { until } from "../../test/service/condition.ts";
import type { Program } from "../../test/service/program.ts";
import { readPanels } from "../used-metrics.ts";
import { checkOutage, checkProxy, replicas } from "./check-proxy.ts";
import { readCompose } from "./compose-file.ts";
import { createContainers, gateway } from "./containers.ts";
import { imagesIn } from "./images.ts";

type Answer = { status: string; error?: string; data: { result: unknown[] } };

/** Checks that Prometheus accepts the alert rules and answers the dashboard's queries. */
async function checkMonitoring(url: string): Promise<void> {
  const ask = async (path: string, parameters: Record<string, string> = {}) =>
    (await (await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters)}`)).json()) as Answer;
  const query = async (text: string) => await ask("query", { query: text });
  // rate() needs two scrapes.
  await until("two scrapes", async () => {
    const { data } = await query('count_over_time(up{job="launchpad",instance=~"indexer.*"}[5m]) > 2');
    return data.result.length > 0;
  });
  const { data } = (await ask("rules")) as unknown as {
    data: { groups: { rules: { lastError?: string }[] }[] };
  };
  const rules = data.groups.flatMap((group) => group.rules);
  assert.ok(rules.length > 10);
  assert.deepEqual(
    rules.flatMap(({ lastError }) => lastError || []),
    [],
  );

  const empty: string[] = [];
  let count = 0;
  for (const { title, targets = [] } of readPanels()) {
    for (const { expr } of targets) {
      const text = expr.replaceAll("$instance", ".*").replaceAll("$__rate_interval", "1m");
      const { status, error, data } = await query(text);
      assert.equal(status, "success", `${title}: ${error}`);
      count++;
      if (data.result.length === 0) empty.push(title);
    }
  }
  console.log(`Prometheus accepts ${rules.length} rules and answers ${count} queries of the dashboard`);
  if (empty.length > 0) console.log(`without data here: ${empty.join(", ")}`);
}

const [, , work = ""] = process.argv;
const site = "http://launchpad.test";
const rpcPort = 8_545;

const password = "0123456789abcdef";
const chain = await prepareChain();
const compose = readCompose(work, {
  BASE_URL: site,
  SITE_ADDRESS: site,
  POSTGRES_ADMIN_PASSWORD: `admin${password}`,
  POSTGRES_PASSWORD: `owner${password}`,
  POSTGRES_API_PASSWORD: `api${password}`,
  POSTGRES_READER_PASSWORD: `reader${password}`,
  POSTGRES_SQL_PASSWORD: `sql${password}`,
  PONDER_RPC_URL_56: `http://${gateway}:${rpcPort}`,
  TOKEN_FACTORY_ADDRESS_56: chain.deployment.tokenFactory,
  LAUNCHPAD_ADDRESS_56: chain.deployment.launchpad,
  START_BLOCK_56: String(chain.deployment.startBlock),
  // The checks send more requests than the limits allow.
  RATE_LIMIT: "off",
});
console.log(`docker-compose resolves compose.yaml: ${Object.keys(compose.services).join(", ")}`);
const debian = path.join(work, "debian");
const containers = createContainers(compose, imagesIn(debian), work);
// anvil listens on loopback, which containers don't share.
const relay = net.createServer((client) => {
  const upstream = net.connect(Number(new URL(chain.rpcUrl).port), "127.0.0.1");
  client.pipe(upstream).pipe(client);
  for (const socket of [client, upstream]) socket.on("error", () => socket.destroy());
});
await new Promise<void>((resolve) => relay.listen(rpcPort, gateway, resolve));

const running = new Map<string, Program>();
try {
  for (const service of inOrder(Object.keys(compose.services))) await startService(service);
  const isReady = (url: string) =>
    fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const ways = [site, ...replicas.map((replica) => `http://${replica}:42069`)];
  await until("/ready of the proxy and of each replica", async () =>
    (await Promise.all(ways.map(isReady))).every(Boolean),
  );
  const setting = {
    site,
    chain,
    containers,
    running,
    caddyfile: path.join(work, "deploy/proxy/Caddyfile"),
    caddy: path.join(debian, "usr/bin/caddy"),
  };
  await checkProxy(setting);
  await checkMonitoring("http://prometheus:9090");
  await checkOutage(setting);
} finally {
  for (const [service, program] of [...running].reverse()) {
    if (program.hasExited()) {
      const code = await program.exited;
      if (code !== 0) console.log(`${service} had ended with ${code}: ${program.output().slice(-2_000)}`);
      continue;
    }
    const began = performance.now();
    program.kill("SIGTERM");
    const code = await program.exited;
    console.log(`${service} ended with ${code} after ${Math.round(performance.now() - began)} ms`);
    if (code !== 0) process.exitCode = 1;
  }
  relay.close();
  await chain.stop();
}

/** Starts the chain. In a new network namespace, loopback has to be brought up first. */
async function prepareChain() {
  const { execFileSync } = await import("node:child_process");
  execFileSync("ip", ["link", "set", "lo", "up"]);
  return await startLaunchpadChain();
}

/** Sorts services so that each comes after those it depends on. */
function inOrder(services: string[]): string[] {
  const ordered: string[] = [];
  const add = (service: string) => {
    for (const needed of Object.keys(compose.services[service]?.depends_on ?? {})) add(needed);
    if (!ordered.includes(service)) ordered.push(service);
  };
  for (const service of services) add(service);
  return ordered;
}

async function startService(service: string): Promise<void> {
  const program = containers.start(service);
  running.set(service, program);
  await containers.healthy(service, program);
  console.log(`${service} is healthy`);
}
