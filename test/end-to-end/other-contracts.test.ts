import { beforeAll, describe } from "vitest";
import { testHostileContracts } from "./other-contracts/hostile.ts";
import { testPreviousContracts } from "./other-contracts/previous.ts";
import { type OtherContractsServed, serveOtherContracts } from "./other-contracts/served.ts";

/* Contracts other than this project's current ones. */

let served: OtherContractsServed;

beforeAll(async () => {
  served = await serveOtherContracts();
});

describe("previous contracts", () => testPreviousContracts(() => served));
describe("hostile contracts", () => testHostileContracts(() => served));
