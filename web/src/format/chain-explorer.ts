const sites: Record<number, string> = { 56: "https://bscscan.com", 97: "https://testnet.bscscan.com" };

/** Where the chain's public explorer shows something. */
export const chainExplorer = (chainId: number, kind: "address" | "token" | "tx", id: string) =>
  `${sites[chainId] ?? sites[56]}/${kind}/${id}`;
