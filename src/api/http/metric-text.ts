type Metric = {
  name: string;
  type: "gauge" | "counter";
  help: string;
  /** Those whose value is null are left out. Labels are of our own making: nothing in them is escaped. */
  samples: { labels?: Record<string, string | number>; value: number | null }[];
};

/** Returns metrics in Prometheus' text format. */
export function metricText(metrics: Metric[]): string {
  return metrics
    .map(({ name, type, help, samples }) => {
      const lines = samples.flatMap(({ labels, value }) =>
        value === null ? [] : [`${name}${labelText(labels)} ${value}\n`],
      );
      return `# HELP ${name} ${help}.\n# TYPE ${name} ${type}\n${lines.join("")}`;
    })
    .join("");
}

function labelText(labels: Record<string, string | number> = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
