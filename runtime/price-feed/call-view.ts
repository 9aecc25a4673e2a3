import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  type PublicClient,
} from "viem";
import { isRevert } from "../../chain-access/failures.ts";

/**
 * Calls a view function. Resolves to undefined if the contract has no such function or reverts; throws if the endpoint did
 * not respond. viem's readContract treats an endpoint's internal error as a revert, which would make a proxy look like an
 * aggregator.
 */
export async function callView<
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
    if (isRevert(error)) return undefined;
    throw error;
  }
  try {
    return decodeFunctionResult({ ...call, data: answer } as never) as never;
  } catch {
    return undefined;
  }
}
