import { BaseError, ExecutionRevertedError, RpcRequestError } from "viem";

/** The words in which nodes report that a call failed in the contract: a revert, or one of its other failures. */
const contractFailure = new RegExp(
  [
    "revert|out ?of ?gas|\\w{1,20}OOG|gas required exceeds|gas uint64 overflow",
    "invalid ?(opcode|jump|FEOpcode)|opcode .{1,30} not defined|OpcodeNotFound|stack ?(under|over)flow|stack limit",
    "write protection|StateChangeDuringStaticCall|return data out of bounds|OutOfOffset|max call depth|CallTooDeep",
  ].join("|"),
  "i",
);

/** Whether a node's message says that a call failed in the contract. */
export const isContractFailure = (message: string): boolean => contractFailure.test(message);

/** Whether a call reached the chain and failed in the contract, so that repeating it can't help. */
export function isRevert(error: unknown): boolean {
  return hasCause(
    error,
    (cause) =>
      cause instanceof ExecutionRevertedError ||
      (cause instanceof RpcRequestError && isContractFailure(cause.details)),
  );
}

/** Whether a viem error, or an error in its chain of causes, matches. */
export function hasCause(error: unknown, matches: (cause: unknown) => boolean): boolean {
  return error instanceof BaseError && error.walk(matches) !== null;
}
