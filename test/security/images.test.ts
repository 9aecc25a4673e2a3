import { beforeAll, describe } from "vitest";
import { testHostileImages } from "./images/hostile.ts";
import { type ImagesServed, serveImages } from "./images/served.ts";
import { testImageStorage } from "./images/storage.ts";

let served: ImagesServed;

beforeAll(async () => {
  served = await serveImages();
});

// In this order: in the end the service is killed.
describe("storage", () => testImageStorage(() => served));
describe("hostile images", () => testHostileImages(() => served));
