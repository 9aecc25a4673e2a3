import { BaseError, ExecutionRevertedError, RpcRequestError } from "viem";

/** How nodes name the ways in which a contract fails, beside a revert. */
const contractFailure = new RegExp(
  [
    "revert|out ?of ?gas|\\w{1,20}OOG|gas required exceeds|gas uint64 overflow",
    "invalid ?(opcode|jump|FEOpcode)|opcode .{1,30} not defined|OpcodeNotFound|stack ?(under|over)flow|stack limit",
    "write protection|StateChangeDuringStaticCall|return data out of bounds|OutOfOffset|max call depth|CallTooDeep",
  ].join("|"),
  "i",
);

/** Whether a call reached the chain and failed in the contract: asking again brings the same. */
export function isRevert(error: unknown): boolean {
  return hasCause(
    error,
    (cause) =>
      cause instanceof ExecutionRevertedError ||
      (cause instanceof RpcRequestError && contractFailure.test(cause.details)),
  );
}

/** Whether an error of viem, or one that it was made of, is such a one. */
export function hasCause(error: unknown, isSuch: (cause: unknown) => boolean): boolean {
  return error instanceof BaseError && error.walk(isSuch) !== null;
}
