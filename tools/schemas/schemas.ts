// npm run schemas [-- drop <name>]: lists the schemas of on-chain tables, or drops one.

import { parseCommandLine } from "../../runtime/command-line.ts";
import {
  dropIndexedSchema,
  type IndexedSchema,
  readIndexedSchemas,
} from "../../runtime/ponder/indexed-schemas.ts";
import { StartError } from "../../runtime/start-error.ts";
import { runTool } from "../run-tool.ts";

await runTool(async ({ open }) => {
  const { positionals } = parseCommandLine(process.argv.slice(2), {
    options: {},
    names: ["drop", "a schema"],
  });
  const [command, name] = positionals;
  const isDrop = command === "drop" && name !== undefined;
  if (command !== undefined && !isDrop) {
    throw new StartError("usage: npm run schemas, or npm run schemas -- drop <name>");
  }
  const pool = await open();
  const client = await pool.connect();
  if (isDrop) {
    await dropIndexedSchema(client, name);
    console.log(`dropped ${name}`);
  } else {
    const schemas = await readIndexedSchemas(client);
    for (const schema of schemas) console.log(describe(schema));
    if (schemas.length === 0) console.log("nothing has been indexed into this database");
  }
  client.release();
  return 0;
});

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
