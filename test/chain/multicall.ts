import { readFileSync } from "node:fs";
import path from "node:path";
import type { Hex } from "viem";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import type { Anvil } from "./anvil.ts";

type Clients = Pick<Anvil, "publicClient" | "testClient">;

/** The address on every chain that has it, such as both of BNB. */
const address = "0xcA11bde05977b3631167028862bE2a173976CA11";

/** Puts Multicall3 onto a chain, from its next block on: viem has the creation code, and the node runs the constructor. */
export async function installMulticall({ publicClient, testClient }: Clients): Promise<void> {
  const file = path.join(projectDir, "node_modules/viem/_esm/constants/contracts.js");
  const [, creationCode] = /multicall3Bytecode = '(0x[\da-f]+)'/.exec(readFileSync(file, "utf8")) ?? [];
  const { data: bytecode } = await publicClient.call({ data: creationCode as Hex });
  if (bytecode === undefined) throw new Error("no code");
  await testClient.setCode({ address, bytecode });
}

/** Removes Multicall3 from a chain, from its next block on. */
export const removeMulticall = ({ testClient }: Clients) => testClient.setCode({ address, bytecode: "0x" });
