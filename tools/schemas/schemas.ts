// npm run schemas [-- live|drop <name>]: lists the schemas of on-chain tables, makes one live, or drops one.

import { parseCommandLine } from "../../runtime/command-line.ts";
import {
  dropIndexedSchema,
  type IndexedSchema,
  readIndexedSchemas,
} from "../../runtime/ponder/indexed-schemas.ts";
import { StartError } from "../../runtime/start-error.ts";
import { publishIndexedSchema } from "../../runtime/upgrade/publish-schema.ts";
import { runTool } from "../run-tool.ts";

await runTool(async ({ open }) => {
  const { positionals } = parseCommandLine(process.argv.slice(2), {
    options: {},
    names: ["live or drop", "a schema"],
  });
  const [command, name] = positionals;
  const isChange = (command === "live" || command === "drop") && name !== undefined;
  if (command !== undefined && !isChange) {
    throw new StartError(
      "usage: npm run schemas, npm run schemas -- live <name>, or npm run schemas -- drop <name>",
    );
  }
  const pool = await open();
  const client = await pool.connect();
  if (!isChange) {
    const schemas = await readIndexedSchemas(client);
    for (const schema of schemas) console.log(describe(schema));
    if (schemas.length === 0) console.log("nothing has been indexed into this database");
  } else if (command === "live") {
    await publishIndexedSchema(client, name);
    console.log(`${name} is live`);
  } else {
    await dropIndexedSchema(client, name);
    console.log(`dropped ${name}`);
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
