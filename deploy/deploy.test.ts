import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readEnvironment } from "../config/env.ts";
import { countOverdrafts, readIndexMetrics } from "../src/api/freshness/index-metrics.ts";
import { startSelfChecks } from "../src/api/freshness/self-checks.ts";
import { readProblemMetrics } from "../src/api/http/problem.ts";
import { defaultLimits } from "../src/api/http-limits/limits.ts";
import { readDiskMetrics } from "../src/api/images/free-disk.ts";
import { temporaryFolder } from "../test/service/temporary-folder.ts";
import { readPanels, readUsedMetrics } from "./used-metrics.ts";

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const found = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, name = ""]) => name);

// test/security/private-endpoints.test.ts compares all names with those of a running service.
test("every metric that this folder uses exists in the source", async () => {
  const overdrafts = countOverdrafts([], () => {});
  overdrafts.stop();
  const watch = { report: () => ({ writer: "live" as const, chains: [] }) };
  const selfChecks = startSelfChecks({
    seconds: 0,
    chains: [],
    databaseUrl: undefined,
    databaseSchema: "",
    watch,
  });
  const ours = [
    overdrafts.readMetrics(),
    selfChecks.readMetrics(),
    await readIndexMetrics(async () => ({ ready: true, writer: "live", chains: [] }), 60),
    await readDiskMetrics("."),
    readProblemMetrics(),
  ].join("");
  const sources = [
    "freshness/index-metrics.ts",
    "chain/endpoint-metrics.ts",
    "stream/stream-service.ts",
    "sql/backends.ts",
    "alerts/alert-service.ts",
  ].flatMap((file) => found(read(`../src/api/${file}`), /"(launchpad_\w+)"/g));
  const ponder = found(read("../node_modules/ponder/dist/esm/internal/metrics.js"), /name: "(ponder_\w+)"/g);
  const known = new Set([...found(ours, /^# TYPE (\w+) /gm), ...sources, ...ponder]);
  const ofNode = /^(process|nodejs)_/;
  const used = [...readUsedMetrics()].filter((name) => !ofNode.test(name));
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

test("compose creates the roles of the documentation, with limits of its own", () => {
  const statements = (sql: string | undefined) =>
    (sql ?? "")
      .replaceAll(/ +--.*|^\\(c|getenv) .*|^revoke create on schema public.*/gm, "")
      .replaceAll(/password (:'\w+'|'\.\.\.')/g, "password …")
      .replaceAll(/connection limit \d+/g, "connection limit …")
      .trim()
      .split("\n");
  const [documented] = found(read("../docs/self-hosting.md"), /^```sql\n(create role [^`]+)```$/gm);
  const [ours] = found(read("postgres/roles.sh"), /<<'SQL'\n(.*)\nSQL\n/gs);
  expect(statements(documented).length).toBeGreaterThan(10);
  expect(statements(ours)).toEqual(statements(documented));
  // Others on the machine see the arguments of a process.
  expect(read("postgres/roles.sh")).not.toMatch(/\$\{?LAUNCHPAD_/);
  for (const name of found(read("compose.yaml"), /^ +(LAUNCHPAD_\w*PASSWORD):/gm))
    expect(ours).toMatch(new RegExp(`^\\\\getenv \\w+ ${name}$`, "m"));
});

test("every alert has a test for promtool", () => {
  const alerts = found(read("prometheus/alerts.yml"), /- alert: (\w+)/g);
  expect(alerts.length).toBeGreaterThan(10);
  const fired = found(read("prometheus/alerts.test.yml"), /alertname: (\w+)\n +exp_alerts:/g);
  expect(alerts.filter((name) => !fired.includes(name))).toEqual([]);
});

test("a problem of which one is an alert is counted from 0: the first sample of a series is no increase", () => {
  const codes = found(
    read("prometheus/alerts.yml"),
    /increase\(launchpad_problems_total\{code="(\w+)"\}\[\w+\]\) > 0/g,
  );
  expect(codes).toContain("image_not_here");
  for (const code of codes) {
    expect(readProblemMetrics()).toMatch(
      new RegExp(`^launchpad_problems_total\\{code="${code}",status="\\d+"\\} 0$`, "m"),
    );
  }
});

test("every alert leads to its section of the runbook", () => {
  const rules = read("prometheus/alerts.yml");
  const alerts = found(rules, /- alert: (\w+)/g);
  const sections = found(read("../docs/operations/runbook.md"), /^## (\w+)$/gm);
  expect(sections).toEqual(alerts);
  expect(found(rules, /runbook_url: docs\/operations\/runbook\.md#(\w+)$/gm)).toEqual(
    alerts.map((name) => name.toLowerCase()),
  );
});

test("every panel has queries, for the selected processes only", () => {
  const panels = readPanels();
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { type, title, datasource, targets = [] } of panels) {
    if (type === "row") continue;
    expect(targets.length, title).toBeGreaterThan(0);
    expect(datasource?.uid, title).toBe(`\${datasource}`);
    expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
    for (const { expr } of targets) expect(expr, title).toContain('instance=~"$instance"');
  }
});

test("panels don't overlap and fit the dashboard's width", () => {
  const taken = new Map<string, string>();
  for (const { title, gridPos } of readPanels()) {
    const { x, y, w, h } = gridPos;
    expect(x + w, title).toBeLessThanOrEqual(24);
    for (let at = 0; at < w * h; at++) {
      const cell = `${x + (at % w)} ${y + Math.floor(at / w)}`;
      expect(taken.get(cell), title).toBeUndefined();
      taken.set(cell, title);
    }
  }
});

test("the image has the version of package.json", () => {
  const { version } = JSON.parse(read("../package.json")) as { version: string };
  expect(found(read("Containerfile"), /^ARG VERSION=(.+)$/gm)).toEqual([version]);
});

test("systemd starts the services again however often they end", () => {
  for (const name of ["launchpad", "launchpad-serve@"]) {
    const [unit = "", service = ""] = read(`systemd/${name}.service`).split("[Service]");
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(service).toMatch(/^Restart=always$/m);
  }
});

test("the documented commands install the units where there are no more folders than Debian's systemd brings", async () => {
  const [block = ""] = found(read("../docs/operations/deployment.md"), /^## systemd\n\n```sh\n([^`]+)/gm);
  const commands = block.split(/ && | +#.*|\n/).filter((command) => /^(install|mkdir|ln) /.test(command));
  const { folder, remove } = await temporaryFolder();
  mkdirSync(path.join(folder, "etc/systemd/system"), { recursive: true });
  const moved = commands.map((command) =>
    command.replaceAll(/ \/(etc|opt)\//g, ` "${folder}"/$1/`).replace("<folder>", "/"),
  );
  execFileSync("sh", ["-ec", moved.join("\n")], { cwd: fileURLToPath(new URL("..", import.meta.url)) });
  const installed = (place: string) => readdirSync(path.join(folder, place)).toSorted();
  expect(installed("etc/sysusers.d")).toEqual(["launchpad.conf"]);
  expect(installed("etc/systemd/system")).toEqual(["launchpad-serve@.service", "launchpad.service"]);
  expect(installed("opt/launchpad")).toEqual(["current"]);
  await remove();
});

test("Prometheus and the proxy connect to services in compose.yaml", () => {
  const compose = read("compose.yaml");
  const services = found(compose.slice(compose.indexOf("\nservices:")), /^ {2}([\w-]+):/gm);
  const targets = found(read("prometheus/prometheus.yml"), /"([\w-]+):9464"/g);
  const upstreams = found(read("proxy/Caddyfile"), /:([\w-]+):42069\}/g);
  expect(targets).toEqual(["indexer", "serve-1", "serve-2"]);
  expect([...new Set(upstreams)].toSorted()).toEqual(targets);
  expect(services).toEqual(expect.arrayContaining(targets));
  expect(compose).toContain('METRICS_PORT: "9464"');
  expect(read("Containerfile")).toContain("PORT=42069");
});

test("metrics of containers are on all addresses, so that a cluster with IPv6 alone has them too", () => {
  const hosts = ["compose.yaml", "kubernetes/settings.env"].map(
    (file) => found(read(file), /^ *METRICS_HOST[:=] ?"?([^"\n]*)/gm)[0] ?? "",
  );
  for (const METRICS_HOST of hosts)
    expect(readEnvironment({ METRICS_PORT: "9464", METRICS_HOST }).metrics?.host).toBeUndefined();
});

test("the timeouts of the proxy and of the service agree, as the documentation says", async () => {
  const seconds = (pattern: RegExp) => {
    const [amount = "", unit] = found(read("proxy/Caddyfile"), pattern)[0]?.split(/(?=[sm])/) ?? [];
    return Number(amount) * (unit === "m" ? 60 : 1);
  };
  const proxy = {
    keepalive: seconds(/^\t+keepalive (\d+[sm])$/gm),
    idle: seconds(/^\t+idle (\d+[sm])$/gm),
    headers: seconds(/^\t+read_header (\d+[sm])$/gm),
    body: seconds(/^\t+read_body (\d+[sm])$/gm),
  };
  const { idleMs, headersMs, bodyMs, bodyBytesPerSecond, unreadMs } = defaultLimits;
  expect(new Set(found(read("proxy/Caddyfile"), /^\t+keepalive (\d+[sm])$/gm)).size).toBe(1);
  expect(proxy.keepalive).toBeLessThan(idleMs / 1_000);
  expect(proxy.headers).toBeGreaterThan(headersMs / 1_000);
  expect(proxy.body).toBeGreaterThanOrEqual(bodyMs / 1_000);

  const [stream = "?"] = found(read("../src/api/stream/worker.ts"), /^const beatMs = (\d+)_000;$/gm);
  const rows = new Map(
    Array.from(
      read("../docs/self-hosting.md").matchAll(/^\| ([^|]+) \| ([^|]*) \| ([^|]*) \|/gm),
      ([, ...cells]) => [
        cells[0],
        cells.slice(1).map((cell) => cell?.match(/\d+(?= k?[sB])/g)?.map(Number) ?? []),
      ],
    ),
  );
  expect(rows.get("an idle connection from the proxy to the service")).toEqual([
    [idleMs / 1_000],
    [proxy.keepalive],
  ]);
  expect(rows.get("an idle connection of a client")).toEqual([[idleMs / 1_000], [proxy.idle]]);
  expect(rows.get("a request's headers")).toEqual([[headersMs / 1_000], [proxy.headers]]);
  expect(rows.get("a request's body")).toEqual([[bodyMs / 1_000, bodyBytesPerSecond / 1_000], [proxy.body]]);
  expect(rows.get("an answer that a client doesn't read")).toEqual([[unreadMs / 1_000], []]);
  expect(rows.get("a stream's next line")).toEqual([[Number(stream)], []]);
});
