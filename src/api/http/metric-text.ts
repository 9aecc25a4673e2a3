type Metric = {
  name: string;
  type: "gauge" | "counter";
  help: string;
  /** Samples whose value is null are omitted. Label values are not escaped: they must not come from users. */
  samples: { labels?: Record<string, string | number>; value: number | null }[];
};

/** Formats metrics in Prometheus' text format. */
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
