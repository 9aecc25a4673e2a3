import { beforeAll, describe } from "vitest";
import { testCommand } from "./verify/command.ts";
import { testSelfCheck } from "./verify/self-check.ts";
import { type ComparedServed, serveCompared } from "./verify/served.ts";

/* The index compared with the contracts, by the service and by `npm run verify`. */

let served: ComparedServed;

beforeAll(async () => {
  served = await serveCompared();
});

// In this order: the command's last test leaves a false index.
describe("the self-check", () => testSelfCheck(() => served));
describe("npm run verify", () => testCommand(() => served));
