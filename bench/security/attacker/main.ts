import { readFile } from "node:fs/promises";
import { attacks } from "../attacks/index.ts";
import { flood, send } from "./flood.ts";
import type { AttackJob } from "./job.ts";

// Reads what to do from a file, says "begun" once all is prepared, and in the end what it was answered.
const { attack: name, ...job } = JSON.parse(await readFile(process.argv[2] as string, "utf8")) as AttackJob;
const attack = attacks[name];
if (attack === undefined) throw new Error(`there is no attack ${name}`);
const make = await attack.prepare((request) => send(job.url, request));
console.log("begun");
console.log(JSON.stringify(await flood(job, make)));
process.exit(0);
