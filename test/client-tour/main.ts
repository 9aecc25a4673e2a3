import { tour } from "./tour.ts";

/* Runs the tour as a program, which prints a line once it is connected, and then the results. */

const result = await tour(JSON.parse(process.argv[2] ?? ""), () => console.log("connected"));
console.log(`found ${JSON.stringify(result)}`);
