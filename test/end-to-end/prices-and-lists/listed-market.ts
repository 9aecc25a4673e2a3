import type { Address } from "viem";
import { expect } from "vitest";
import { graduatingAmount, startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { registrationOf } from "../../service/registration.ts";
import type { RestClient } from "../../service/rest-client.ts";

/** Name and symbol of the first tokens. */
export const listedNames = [
  ["Brave Otter", "OTTER"],
  ["a超级小狗币", "币🐶X"],
  ["I ❤️ cats 👍🏽", "CATS"],
] as const;
const filler = Array.from({ length: 22 }, (_, index) => [`Filler ${index}`, "FILL"] as const);

/**
 * A chain with tokens to register, in order of creation: the first graduated, the second was traded two days ago and just now.
 * The last token must never be registered.
 */
export async function startListedMarket() {
  const chain = await startLaunchpadChain();
  const [creator, buyer, other] = chain.traders;
  const creators = [creator, other];
  const tokens = [...listedNames, ...filler];
  const mints: Address[] = [];
  for (const [index, [name, symbol]] of tokens.entries())
    mints.push((await chain.create(creators[index % 2] ?? creator, name, symbol)).toLowerCase() as Address);
  const unregistered = (await chain.create(creator, "Nobody's", "NONE")).toLowerCase() as Address;
  const [first, second, third] = mints as [Address, Address, Address];
  await chain.buy(buyer, first, graduatingAmount);
  await chain.buy(buyer, second, 1_234_567_890_123_456n);
  await chain.testClient.increaseTime({ seconds: 2 * 86_400 });
  await chain.buy(buyer, second, 1_111_111_199_999_999n);
  await chain.buy(other, third, 10n ** 15n);
  return {
    chain,
    mints,
    unregistered,
    async register(rest: RestClient): Promise<void> {
      for (const [index, [name, symbol]] of tokens.entries()) {
        const by = creators[index % 2] ?? creator;
        const body = registrationOf(mints[index] as Address, by, { name, symbol });
        expect((await rest.post("/api/tokens", body)).status).toBe(201);
      }
    },
  };
}
