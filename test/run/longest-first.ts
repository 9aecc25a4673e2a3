import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The slowest files of each project. Started last, one of them would still run when all others are done. Those that share a service come
 * after those that start their own: each worker then starts the shared one later, which takes processor time even when nothing asks it.
 */
const longest = `
  random-market local-stack production repair lake images-and-roles upgrade alerts two-markets
  registration-and-market verify stream chain-access large-tables freshness quotes rest-list prices-and-lists
  accounts recorded-market backup aggregators other-contracts registration-files

  explorer-browse explorer-wallet explorer-money bad-connections sql-limits mcp explorer-hostile moderation
  hostile-sql rest-limits agent-example malformed-requests private-endpoints

  start-postgres history-faults life-cycle replaced-blocks image-routes portal-history resized-images upgrade-roles
  vanity push-images reach launchpad-properties lost-logs

  package edge command-line decoder read-logs leader pool live supervisor token-index watch-deny-list salt-search
  openapi-rules check-image
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
