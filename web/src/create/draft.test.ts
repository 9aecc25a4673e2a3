import { beforeAll, expect, test, vi } from "vitest";
import { findRegistrationProblem } from "../../../src/api/tokens/register/register-token.routes.ts";
import { readTexts } from "../language/messages.ts";
import { type Form, form, registeredTexts, validateForm } from "./draft.ts";

beforeAll(() => readTexts(["core", "trading", "create"]));

const draftOf = (changes: Partial<Form>): Form => ({
  ...form.peek(),
  name: "Brave Frog",
  symbol: "FROG",
  ...changes,
});

/** What the service says to the registration that follows the paid creation. */
function refusalOf(draft: Form): string | undefined {
  const address = `0x${"ab".repeat(20)}`;
  const { name, symbol, burnPercent } = draft;
  const token = { mint: address, creator: address, name, symbol, burnPercent };
  return findRegistrationProblem({ ...token, ...registeredTexts(draft) });
}

const drafts: [string, Partial<Form>][] = [
  ["a description of several lines", { description: "Never\ngives up.\r\n\r\n\tEver." }],
  ["http for X", { twitterUrl: "http://x.com/frog" }],
  ["HTTP for Telegram", { telegramUrl: "HTTP://t.me/frogs" }],
  ["http for a website", { websiteUrl: "http://frog.example" }],
  ["the longest link that the field takes", { websiteUrl: "frog.example/".padEnd(2_000, "a") }],
  ["a page of a user", { websiteUrl: "https://medium.example/@frog" }],
  ["a page of a user, without https", { websiteUrl: "medium.example/@frog" }],
];

test.each(drafts)("%s is registered as the form takes it", (_, changes) => {
  const draft = draftOf(changes);
  expect([validateForm(draft), refusalOf(draft)]).toEqual([{}, undefined]);
});

test("line breaks of a description become spaces", () => {
  const { description } = registeredTexts(draftOf({ description: " Never\ngives up.\r\n\r\n\tEver.\n" }));
  expect(description).toBe("Never gives up. Ever.");
});

test.each([
  ["websiteUrl", "https://"],
  ["websiteUrl", "https://frog.example:99999/"],
  ["websiteUrl", "https://bank.example@frog.example/"],
  ["websiteUrl", "https://user:secret@frog.example/"],
  ["websiteUrl", "https://two words.example/"],
  ["twitterUrl", "https://[frog"],
  ["telegramUrl", "ftp://t.me/frogs"],
] as const)("%s: %s is refused before anything is paid", (field, text) => {
  expect(Object.keys(validateForm(draftOf({ [field]: text })))).toEqual([field]);
});

test("of what is stored, only what fits this version of the page is taken", async () => {
  const stored: Record<string, string> = {
    "create-form": JSON.stringify({
      name: 7,
      symbol: "FROG",
      burnPercent: "60",
      isVanity: false,
      twitterUrl: null,
    }),
    "create-launch": JSON.stringify({
      chainId: 56,
      creator: `0x${"ab".repeat(20)}`,
      hash: "0x1",
      form: { name: 1 },
    }),
  };
  const readFresh = async () => {
    vi.resetModules();
    const fresh = await import("./draft.ts");
    return { form: fresh.form.value, launches: fresh.launches.value };
  };
  vi.stubGlobal("localStorage", { getItem: (name: string) => stored[name], setItem() {}, removeItem() {} });
  const { form: taken, launches } = await readFresh();
  expect(taken).toEqual({ ...form.peek(), symbol: "FROG", isVanity: false });
  expect(launches).toMatchObject([{ hash: "0x1", form: { name: "", burnPercent: 50 } }]);
  for (const other of ["[1]", "[null, {}]", '"text"', "{}", '{"chainId":56,"form":{}}', "no JSON"]) {
    stored["create-form"] = other;
    stored["create-launch"] = other;
    expect(await readFresh()).toEqual({ form: form.peek(), launches: [] });
  }
  vi.unstubAllGlobals();
});
