export const serverInfo = { name: "token-launchpad", title: "Token Launchpad", version: "1.0.0" };
