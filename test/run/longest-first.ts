import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files of each project that take longest. Begun last, one of them would go on alone when all others are done. */
const longest = `
  explorer-browse upgrade local-stack production freshness explorer-wallet chain-access-single activity
  crash lake chain-access rest-outage image-storage rest-list start-postgres slow-clients hostile-sql
  life-cycle history-faults backup random-market rest-limits stream read-only-checkout resized-images
  image-routes hot-reload quotes malformed-requests
`
  .trim()
  .split(/\s+/)
  .map((name) => `/${name}.test.ts`);

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
