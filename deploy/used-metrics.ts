import { readFileSync } from "node:fs";

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

type Panel = {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { uid: string };
  targets?: { refId: string; expr: string }[];
};

export const readPanels = () => (JSON.parse(read("grafana/dashboard.json")) as { panels: Panel[] }).panels;

/** The names of all metrics that the alert rules and the dashboard use, as in `# TYPE` lines. */
export function readUsedMetrics(): Set<string> {
  const queries = readPanels().flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const names = [read("prometheus/alerts.yml"), ...queries]
    .join("\n")
    .matchAll(/\b(?:launchpad|ponder|process|nodejs)_\w+/g);
  // A histogram has three series but one name.
  return new Set(Array.from(names, ([name]) => name.replace(/_(?:bucket|count|sum)$/, "")));
}
