import { storedJson } from "../data/storage.ts";

export const storageKey = "browser-alerts";

/** The browser's alerts as they are stored; null if there are none. Every page loads this, and what watches them only if there are any. */
export const storedAlerts = storedJson(storageKey);
