const sites: Record<number, string> = { 56: "https://bscscan.com", 97: "https://testnet.bscscan.com" };

/** The URL of an address, token or transaction on the chain's public explorer. */
export const chainExplorer = (chainId: number, kind: "address" | "token" | "tx", id: string) =>
  `${sites[chainId] ?? sites[56]}/${kind}/${id}`;
