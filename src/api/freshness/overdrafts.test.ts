import { expect, onTestFinished, test, vi } from "vitest";
import { overdrafts } from "../../domain/amounts.ts";
import { countOverdrafts } from "./index-metrics.ts";

const sent = { chainId: 56, token: "0xaa", account: "0xbb", balanceRaw: 5n, sentRaw: 7n };

function count() {
  vi.useFakeTimers({ toFake: ["performance"] });
  const lines: string[] = [];
  const counted = countOverdrafts([56, 97], (line) => lines.push(line));
  onTestFinished(() => {
    counted.stop();
    vi.useRealTimers();
  });
  return { counted, lines };
}

test("each overdraft is counted by chain, from 0", () => {
  const { counted } = count();
  const samples = () => counted.readMetrics().match(/^launchpad_overdrafts_total.*$/gm);
  expect(samples()).toEqual([
    'launchpad_overdrafts_total{chain="56"} 0',
    'launchpad_overdrafts_total{chain="97"} 0',
  ]);
  for (let times = 0; times < 3; times++) overdrafts.publish(sent);
  expect(samples()?.[0]).toBe('launchpad_overdrafts_total{chain="56"} 3');
});

test("the log names token and account of one a minute, and how many others there were", () => {
  const { lines } = count();
  for (let times = 0; times < 1_000; times++) overdrafts.publish(sent);
  expect(lines).toEqual([expect.stringMatching(/chain 56: 0xbb sent 7 base units of 0xaa, but has 5/)]);
  vi.advanceTimersByTime(60_000);
  overdrafts.publish(sent);
  expect(lines).toEqual([expect.anything(), expect.stringContaining(" 999 more have not been logged.")]);
});
