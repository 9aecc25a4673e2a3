import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest. Begun last, one of them would go on alone when all others are done. */
const longest = [
  ...["production", "local-stack", "random-market", "stream"],
  ...["two-chains", "rest-list", "crash", "quotes", "rest-outage"],
].map((name) => `/end-to-end/${name}.test.ts`);

/** The quick ones come last, and one project after the other: a worker keeps what it has loaded only within a project. */
const projects = ["end-to-end", "database", "unit"];

/** Begins with the longest files, on a machine that has no record of earlier runs. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(name));
      return index < 0 ? longest.length + projects.indexOf(project.name) : index;
    };
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}
