import assert from "node:assert/strict";
import { until } from "../../test/service/condition.ts";
import { readPanels } from "../used-metrics.ts";

type Answer = { status: string; error?: string; data: { result: unknown[] } };

/** Checks that Prometheus accepts the alert rules and answers the dashboard's queries. */
export async function checkMonitoring(url: string): Promise<void> {
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
