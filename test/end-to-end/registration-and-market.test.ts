import { afterEach, beforeAll, describe } from "vitest";
import { testBrand } from "./registration-and-market/brand.ts";
import { testForeignContracts } from "./registration-and-market/foreign-contracts.ts";
import { testMarket } from "./registration-and-market/market.ts";
import { testRegistrations } from "./registration-and-market/registrations.ts";
import { type RegistrationServed, serveRegistration } from "./registration-and-market/served.ts";

/* The registration tests use mainnet and the market tests testnet, so neither affects the other. */

let served: RegistrationServed;

beforeAll(async () => {
  served = await serveRegistration();
});

afterEach(() => served.gate.open());

describe("registrations", () => testRegistrations(() => served));
describe("contracts and clients that abuse the checks of a registration", () =>
  testForeignContracts(() => served));
describe("tokens and totals of the launchpad", () => testMarket(() => served));
describe("the operator's brand", () => testBrand(() => served));
