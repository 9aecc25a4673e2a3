import { Hono } from "hono";
import { beforeEach, expect, test, vi } from "vitest";
import { createFirstScreen } from "./first-screen.ts";

/** Stands in for the page's code: draws the list as it is, and counts. */
const code = `
  const brand = document.querySelector('meta[name="brand"]').content;
  let drawn = 0;
  var home = {
    draw: (answer) => {
      if (answer.includes("broken")) throw new Error("a bug");
      return { html: [navigator.languages, brand, answer, ++drawn].join(" "), locale: "en" };
    },
  };`;

let list: { body: string; status: 200 | 503; etag: string };
beforeEach(() => {
  list = { body: "otter", status: 200, etag: '"1"' };
});

function answerList(known: string | undefined): Response {
  const { body, status, etag } = list;
  if (known === etag) return new Response(null, { status: 304 });
  return new Response(body, { status, headers: { ETag: etag } });
}

function createApp(
  answer: (known: string | undefined) => Response | Promise<Response> = answerList,
  built = code,
) {
  const asked: (string | undefined)[] = [];
  const service = new Hono().get("/api/tokens", (c) => {
    const known = c.req.header("If-None-Match");
    asked.push(known);
    return answer(known);
  });
  const drawFirstScreen = createFirstScreen({ service: () => service, meta: { brand: "Pond" } });
  const app = new Hono().get("/:language", async (c) => {
    const drawn = await drawFirstScreen(c, c.req.param("language"), built);
    return c.text(drawn?.html ?? "nothing");
  });
  return { asked, read: async (language = "en") => await (await app.request(`/${language}`)).text() };
}

test("the list is asked for each time, and drawn once in each language until it changes", async () => {
  const { asked, read } = createApp();
  expect([await read(), await read(), await read("zh")]).toEqual([
    "en Pond otter 1",
    "en Pond otter 1",
    "zh Pond otter 1",
  ]);
  expect(asked).toEqual([undefined, '"1"', undefined]);
  // A moderator has hidden the otter.
  list = { ...list, body: "badger", etag: '"2"' };
  expect([await read(), await read("zh")]).toEqual(["en Pond badger 2", "zh Pond badger 2"]);
});

test("an unchanged list is drawn again after a while, because its tokens have become older", async () => {
  const { read } = createApp();
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    expect(await read()).toBe("en Pond otter 1");
    vi.setSystemTime(Date.now() + 5_001);
    expect(await read()).toBe("en Pond otter 2");
  } finally {
    vi.useRealTimers();
  }
});

test("without a list the page is left to its code, and drawn as soon as there is one", async () => {
  const { read } = createApp();
  list = { ...list, status: 503 };
  expect(await read()).toBe("nothing");
  list = { ...list, status: 200 };
  expect(await read()).toBe("en Pond otter 1");
  list = { ...list, status: 503, etag: '"2"' };
  expect(await read()).toBe("nothing");
});

test("a page doesn't wait for a list that doesn't come", async () => {
  const { read } = createApp(() => new Promise(() => {}));
  expect(await read()).toBe("nothing");
});

test("a list that can't be drawn is reported once, and left to the page's code", async () => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    const { read } = createApp();
    list = { ...list, body: "broken" };
    expect([await read(), await read()]).toEqual(["nothing", "nothing"]);
    expect(reported).toHaveBeenCalledTimes(1);
  } finally {
    reported.mockRestore();
  }
});

test.each([
  ["is no JavaScript", "var home = {"],
  ["fails as it starts", "document.body.append()"],
])("a page whose code %s is left blank, and reported once", async (_, built) => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    const { read } = createApp(answerList, built);
    expect([await read(), await read()]).toEqual(["nothing", "nothing"]);
    expect(reported).toHaveBeenCalledTimes(1);
  } finally {
    reported.mockRestore();
  }
});
