/** Addresses whose key nobody has. A transfer to any of them is a burn, but only the zero address reduces the supply. */
export const burnAddresses: ReadonlySet<string> = new Set([
  "0x0000000000000000000000000000000000000000",
  "0x000000000000000000000000000000000000dead",
]);
