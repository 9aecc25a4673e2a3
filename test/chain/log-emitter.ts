import { createRequire } from "node:module";
import { type Abi, type Address, encodeFunctionData, type Hex } from "viem";
import type { LaunchpadChain } from "./launchpad-chain.ts";

/** A log as a contract emits it: up to four topics and data. */
export type RawLog = { topics: readonly Hex[]; data: Hex };

export type LogEmitter = {
  address: Address;
  /** Emits the logs in one transaction, and returns once it is mined. */
  emit: (logs: RawLog[]) => Promise<void>;
  /** The same, but returns its hash as soon as the node has accepted the transaction. */
  submit: (logs: RawLog[]) => Promise<Hex>;
};

type Emitting = Pick<LaunchpadChain, "traders" | "testClient" | "publicClient" | "send" | "submit">;

/** Deploys a contract that emits any given logs. */
export async function deployLogEmitter(chain: Emitting): Promise<LogEmitter> {
  const { abi, bytecode }: { abi: Abi; bytecode: Hex } = createRequire(import.meta.url)(
    "../../contracts/artifacts/test/LogEmitter.json",
  );
  const [from] = chain.traders;
  const hash = await chain.testClient.request({
    method: "eth_sendTransaction",
    params: [{ from, data: bytecode }],
  } as never);
  const { contractAddress } = await chain.publicClient.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error("LogEmitter was not deployed");
  const address = contractAddress.toLowerCase() as Address;
  const data = (logs: RawLog[]) => encodeFunctionData({ abi, functionName: "emitLogs", args: [logs] });
  return {
    address,
    async emit(logs) {
      await chain.send(from, address, data(logs));
    },
    async submit(logs) {
      return await chain.submit(from, address, data(logs));
    },
  };
}
