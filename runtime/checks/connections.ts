import { onConnection } from "../../offchain/connection.ts";

/** The most connections to Postgres that each process opens: Ponder's pools, the API's, the gate's, and a few of its own. */
const most = { start: 74, serve: 68 };

/** A warning if Postgres has fewer connections than the service may open, otherwise undefined. `serve` never runs without a `start`. */
export async function connectionsWarning(
  databaseUrl: string,
  command: keyof typeof most,
): Promise<string | undefined> {
  return await onConnection(databaseUrl, async (client) => {
    const { rows } = await client.query<{ max: number; reserved: number }>(
      // Postgres has the second kind of reserved connections since version 16.
      `select current_setting('max_connections')::int as max,
              current_setting('superuser_reserved_connections')::int
                + coalesce(current_setting('reserved_connections', true), '0')::int as reserved`,
    );
    return rows[0] && describeShortage(rows[0], command);
  });
}

export function describeShortage(
  { max, reserved }: { max: number; reserved: number },
  command: keyof typeof most,
): string | undefined {
  const needed = command === "start" ? most.start : most.start + most.serve;
  if (max - reserved >= needed) return undefined;
  const enough = Math.ceil((needed + reserved) / 50) * 50;
  return `warning: Postgres has ${max - reserved} connections for this service (max_connections = ${max}, of which ${reserved} are reserved), and npm start may open ${most.start}, each npm run serve ${most.serve}: set max_connections to ${enough} or more, and ${most.serve} more for each further process`;
}
