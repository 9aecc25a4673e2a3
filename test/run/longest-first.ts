import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The slowest files of each project. Started last, one of them would still run when all others are done.
 */
const longest = `
  local-stack explorer-browse repair production random-market images-and-roles explorer-wallet explorer-money
  upgrade lake mcp prices-and-lists verify registration-and-market two-markets rest-list
  freshness stream chain-access large-tables bad-connections quotes recorded-market
  registration-files explorer-hostile backup accounts sql-limits aggregators
  other-contracts moderation rest-limits hostile-sql malformed-requests private-endpoints

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
