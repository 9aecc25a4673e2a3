import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest. Begun last, one of them would go on alone when all others are done. */
const longest = ["production", "crash", "local-stack", "random-market", "rest-outage"].map(
  (name) => `/end-to-end/${name}.test.ts`,
);

/** Begins with the longest files, on a machine that has no record of earlier runs. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(name));
      return index < 0 ? longest.length : index;
    };
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}
