// Loaded first, and written in JavaScript that old versions of Node can run, so that a version without TypeScript support exits
// with a clear message.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Node ${process.versions.node} is too old: install Node 22.18 or later, or run npm ci without --omit=dev, which brings Node 24`,
  );
  process.exit(1);
}
await import("./quick-imports.mjs");
