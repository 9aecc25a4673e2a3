/** Samples without a value are omitted. Label values are not escaped: they must not come from users. */
type Sample = { labels?: Record<string, string | number>; value: number | null | undefined };

type Metric = { name: string; type: "gauge" | "counter"; help: string; samples: Sample[] };

const metric =
  (type: Metric["type"]) =>
  (name: string, help: string, samples: Sample[] | Sample["value"]): Metric => ({
    name,
    type,
    help,
    samples: Array.isArray(samples) ? samples : [{ value: samples }],
  });

/** What rises and falls. A single value has no labels. */
export const gauge = metric("gauge");
/** What only rises. */
export const counter = metric("counter");

/** Formats metrics in Prometheus' text format. */
export function metricText(metrics: Metric[]): string {
  return metrics
    .map(({ name, type, help, samples }) => {
      const lines = samples.flatMap(({ labels, value }) =>
        value == null ? [] : [`${name}${labelText(labels)} ${value}\n`],
      );
      return `# HELP ${name} ${help}.\n# TYPE ${name} ${type}\n${lines.join("")}`;
    })
    .join("");
}

function labelText(labels: Record<string, string | number> = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
