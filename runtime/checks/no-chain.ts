/** The error message when no chain is configured. */
export const noChainMessage = `no chain is configured: set PONDER_RPC_URL_56, TOKEN_FACTORY_ADDRESS_56, LAUNCHPAD_ADDRESS_56 and START_BLOCK_56
  (or the same ending in _97 for testnet) in .env.local (copy .env.example). To look around first, run npm run dev: it needs
  no configuration.`;
