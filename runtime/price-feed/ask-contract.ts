import {
  type Abi,
  type Address,
  BaseError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  type PublicClient,
} from "viem";

/** What an endpoint's error says when it is the contract that refused, and not the endpoint. */
const refusal = /revert|invalid opcode|out of gas/i;

/**
 * Calls a view function. Resolves to undefined when the contract has no such function, or refuses; throws when the
 * endpoint did not answer. viem's own readContract takes an endpoint's internal error for a refusal, and a proxy would
 * pass for an aggregator.
 */
export async function askContract<
  const abi extends Abi,
  name extends ContractFunctionName<abi, "view">,
  const args extends ContractFunctionArgs<abi, "view", name>,
>(
  client: PublicClient,
  to: Address,
  call: { abi: abi; functionName: name; args?: args },
): Promise<ContractFunctionReturnType<abi, "view", name, args> | undefined> {
  const data = encodeFunctionData(call as never);
  let answer: Hex;
  try {
    answer = await client.request({ method: "eth_call", params: [{ to, data }, "latest"] });
  } catch (error) {
    if (error instanceof BaseError && refusal.test(error.details)) return undefined;
    throw error;
  }
  try {
    return decodeFunctionResult({ ...call, data: answer } as never) as never;
  } catch {
    return undefined;
  }
}
