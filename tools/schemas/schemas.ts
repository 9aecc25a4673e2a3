// npm run schemas [-- drop <name>]: lists the schemas of on-chain tables, or drops one.

import { parseCommandLine } from "../../runtime/command-line.ts";
import {
  dropIndexedSchema,
  type IndexedSchema,
  readIndexedSchemas,
} from "../../runtime/ponder/indexed-schemas.ts";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { readSettings } from "../../runtime/settings.ts";
import { StartError } from "../../runtime/start-error.ts";
import { openDatabase } from "../open-database.ts";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const { positionals } = parseCommandLine(process.argv.slice(2), {
      options: {},
      names: ["drop", "a schema"],
    });
    const [command, name] = positionals;
    const isDrop = command === "drop" && name !== undefined;
    if (command !== undefined && !isDrop) {
      throw new StartError("failed", "usage: npm run schemas, or npm run schemas -- drop <name>");
    }
    const pool = await openDatabase(supervisor, readSettings(log));
    const client = await pool.connect();
    if (isDrop) {
      await dropIndexedSchema(client, name);
      log(`dropped ${name}`);
    } else {
      const schemas = await readIndexedSchemas(client);
      for (const schema of schemas) log(describe(schema));
      if (schemas.length === 0) log("nothing has been indexed into this database");
    }
    client.release();
    await pool.end();
    void supervisor.stop(0);
  }),
);

function describe({ schema, isLive, liveSince, isIndexed, servers, bytes, position }: IndexedSchema): string {
  const blocks = [...position].map(([chain, block]) => `block ${block} of chain ${chain}`);
  const time = liveSince?.toISOString();
  return [
    `${schema}: ${isLive ? `live since ${time}` : time === undefined ? "never live" : `not live (last became live at ${time})`}`,
    isIndexed ? "being indexed" : "not being indexed",
    `served by ${servers}`,
    `${(bytes / 1_048_576).toFixed(1)} MiB`,
    blocks.join(", ") || "no block",
  ].join("; ");
}
