import { afterEach, beforeAll, describe } from "vitest";
import { testForeignContracts } from "./registration/foreign-contracts.ts";
import { testRegistrations } from "./registration/registrations.ts";
import { type RegistrationServed, serveRegistration } from "./registration/served.ts";

let served: RegistrationServed;

beforeAll(async () => {
  served = await serveRegistration();
});

afterEach(() => served.gate.open());

describe("registrations", () => testRegistrations(() => served));
describe("contracts and clients that want the service to do more than to check a registration", () =>
  testForeignContracts(() => served));
