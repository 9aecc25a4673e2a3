import { until } from "./condition.ts";

/**
 * What an answer asks the chain for is null, and a quote warns that the account was not checked, where the chain takes longer than
 * a second. On a busy machine it may: asks again until all of it is there.
 */
export async function withChainParts<Answer extends { text: string }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  return await until("what the chain is asked for", async () => {
    const answer = await ask();
    return !lacking.test(answer.text) && answer;
  });
}

const lacking = /"(nativeBalance\w+|exitBnb|priceImpactPercent)":null|account_not_checked/;
