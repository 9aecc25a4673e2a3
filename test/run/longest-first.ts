import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files of each project that take longest. Begun last, one of them would go on alone when all others are done. */
const longest = [
  ...[
    "production",
    "local-stack",
    "chain-access-single",
    "freshness",
    "activity",
    "chain-access",
    "random-market",
  ],
  ...[
    "crash",
    "slow-clients",
    "rest-outage",
    "quotes",
    "hot-reload",
    "image-storage",
    "stream",
    "rest-limits",
  ],
  ...["start-postgres", "image-routes", "history-faults", "life-cycle", "sweep", "reach"],
  ...["leader", "pool", "live", "list-order"],
].map((name) => `/${name}.test.ts`);

/** The quick ones come last, and one project after the other: a worker keeps what it has loaded only within a project. */
const projects = ["end-to-end", "database", "unit"];

/** Begins with the longest files, on a machine that has no record of earlier runs. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(name));
      const within = index < 0 ? longest.length : index;
      return projects.indexOf(project.name) * (longest.length + 1) + within;
    };
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}
