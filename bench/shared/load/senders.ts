import pg from "pg";
import { httpRequest, openConnection } from "./http-connection.ts";
import type { LoadTarget } from "./load.ts";

/** A connection with one request at a time. */
export type Sender = {
  /** Sends the request with this index. Resolves once its answer has arrived completely, to whether it succeeded. */
  send(index: number): Promise<boolean>;
  close(): void | Promise<void>;
};

/** Opens this many connections. */
export function openSenders(target: LoadTarget, count: number): Promise<Sender[]> {
  const open = target.kind === "http" ? openHttp(target) : openSql(target);
  return Promise.all(Array.from({ length: count }, open));
}

function openHttp({ port, requests }: LoadTarget & { kind: "http" }): () => Promise<Sender> {
  const data = requests.map(httpRequest);
  return async () => {
    const connection = await openConnection(port);
    return {
      send: async (index) => (await connection.send(data[index] as Buffer)) === 200,
      close: () => connection.close(),
    };
  };
}

/** Each statement is prepared once per connection, as in a service that runs it often. */
function openSql({ databaseUrl, requests }: LoadTarget & { kind: "sql" }): () => Promise<Sender> {
  return async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    return {
      async send(index) {
        const { text, values, group } = requests[index] as (typeof requests)[number];
        await client.query({ name: group, text, values });
        return true;
      },
      close: () => client.end(),
    };
  };
}
