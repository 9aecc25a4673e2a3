import { tour } from "./tour.ts";

/* The tour as a program: says when it is connected, then what it has found. */

const result = await tour(JSON.parse(process.argv[2] ?? ""), () => console.log("connected"));
console.log(`found ${JSON.stringify(result)}`);
