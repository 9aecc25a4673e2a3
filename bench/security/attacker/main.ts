import { readFile } from "node:fs/promises";
import { attacks } from "../attacks/index.ts";
import { flood, send } from "./flood.ts";
import type { AttackJob } from "./job.ts";

// Reads its job from a file, prints "begun" once everything is prepared, and finally a tally of the answers.
const { attack: name, ...job } = JSON.parse(await readFile(process.argv[2] as string, "utf8")) as AttackJob;
const attack = attacks[name];
if (attack === undefined) throw new Error(`there is no attack ${name}`);
const make = await attack.prepare((request) => send(job.url, request));
console.log("begun");
console.log(JSON.stringify(await flood(job, make)));
process.exit(0);
