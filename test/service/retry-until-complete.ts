import { until } from "./condition.ts";

/**
 * Repeats a request until every field that is read from the chain is there. If the chain takes longer than a second, as it may on a
 * busy machine, such fields are null, and a quote warns that the account was not checked.
 */
export async function retryUntilComplete<Answer extends { text: string }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  return await until("what the chain is asked for", async () => {
    const answer = await ask();
    return !incompleteAnswer.test(answer.text) && answer;
  });
}

const incompleteAnswer = /"(nativeBalance\w+|exitBnb|priceImpactPercent)":null|account_not_checked/;
