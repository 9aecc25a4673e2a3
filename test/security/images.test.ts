import { beforeAll, describe } from "vitest";
import { testHostileImages } from "./images/hostile.ts";
import { type ImagesServed, serveImages } from "./images/served.ts";
import { testImageStorage } from "./images/storage.ts";

let served: ImagesServed;

beforeAll(async () => {
  served = await serveImages();
});

// In this order: the last test kills the service.
describe("storage", () => testImageStorage(() => served));
describe("hostile images", () => testHostileImages(() => served));
