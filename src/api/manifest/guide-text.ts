import { agentFaq, agentQuickStart, forAgents } from "./agent-guide.ts";

/** The manifest's guide as Markdown. */
export const guideText = [
  "# Launching and trading over REST",
  agentQuickStart.replaceAll("\n", "\n\n"),
  "## Questions",
  ...agentFaq.map(({ q, a }) => `### ${q}\n\n${a}`),
  "## Good to know",
  forAgents.map((line) => `- ${line}`).join("\n"),
].join("\n\n");
