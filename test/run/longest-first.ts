import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The slowest files of each project. Started last, one of them would still run when all others are done. Files that mostly wait are
 * interleaved with those that keep the processor busy.
 */
const longest = `
  chain-access-single freshness upgrade local-stack production lake random-market registration-and-market
  explorer-wallet rest-list quotes explorer-browse rest-outage chain-access two-markets slow-clients
  hostile-sql images-and-roles stream accounts registration-files replicas moderation hot-reload
  recorded-market large-tables mcp vanity-salt crash inspector other-contracts malformed-requests explorer-hostile
  rest-manners prices-and-lists rest-limits

  history-faults start-postgres life-cycle gas-bounds resized-images portal-history image-routes
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
