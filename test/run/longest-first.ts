import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The slowest files of each project. Started last, one of them would still run when all others are done.
 */
const longest = `
  repair images-and-roles local-stack upgrade explorer-browse production chain-access-single two-markets lake
  chain-access stream freshness random-market crash replicas explorer-money sql-limits rest-outage slow-clients
  explorer-wallet registration-files registration-and-market rest-list lost-logs moderation backup hot-reload
  private-endpoints verify aggregators quotes accounts reread-followed large-tables prices-and-lists mcp
  recorded-market other-contracts rest-limits inspector self-check lost-commits explorer-hostile hostile-sql

  history-faults start-postgres life-cycle image-routes resized-images portal-history replaced-blocks
  launchpad-properties

  leader watch-deny-list salt-search supervisor decoder pool edge list-order live openapi-rules check-image
`
  .trim()
  .split(/\s+/)
  .map((name) => `/${name}.test.ts`);

/** Quick projects run last, and projects aren't mixed, because a worker keeps loaded modules only within a project. */
const projects = ["end-to-end", "database", "unit"];

/** Starts with the longest files, even on a machine without a record of earlier runs. */
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
