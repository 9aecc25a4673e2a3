import type { ChartOptions, LocalizationOptions, Time, UTCTimestamp } from "lightweight-charts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readTexts } from "../language/messages.ts";

beforeAll(async () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  await readTexts(["core", "token"]);
});
afterAll(() => vi.unstubAllEnvs());

const localization = { locale: "en-US", dateFormat: "dd MMM 'yy" } as LocalizationOptions<Time>;

/** What the crosshair and the axis call the hourly candles from a time on. */
async function hours(begin: string, count: number) {
  const { LocalTimeScale } = await import("./chart-view.ts");
  const scale = new LocalTimeScale();
  scale.setOptions({ timeScale: { timeVisible: true }, localization } as ChartOptions);
  const points = Array.from({ length: count }, (_, at) => ({
    time: scale.convertHorzItemToInternal((Date.parse(begin) / 1_000 + at * 3_600) as UTCTimestamp),
    timeWeight: 0,
    originalTime: undefined,
  })) as unknown as Parameters<typeof scale.fillWeightsForPoints>[0];
  scale.fillWeightsForPoints(points, 0);
  return points.map(({ time, timeWeight: weight, originalTime }, index) => {
    const mark = { index, time, weight, originalTime } as Parameters<typeof scale.formatTickmark>[0];
    return [scale.formatHorzItem(time), scale.formatTickmark(mark, localization)];
  });
}

test("each candle has the local time of its own day, also on both sides of the end of summer time", async () => {
  expect(await hours("2026-10-24T21:00Z", 7)).toEqual([
    ["24 Oct '26   23:00", "23:00"],
    ["25 Oct '26   00:00", "25"],
    ["25 Oct '26   01:00", "01:00"],
    ["25 Oct '26   02:00", "02:00"],
    ["25 Oct '26   02:00", "02:00"],
    ["25 Oct '26   03:00", "03:00"],
    ["25 Oct '26   04:00", "04:00"],
  ]);
});

test("and of its beginning, with the month at the first of its days", async () => {
  expect(await hours("2026-03-28T23:00Z", 3)).toEqual([
    ["29 Mar '26   00:00", "29"],
    ["29 Mar '26   01:00", "01:00"],
    ["29 Mar '26   03:00", "03:00"],
  ]);
  expect((await hours("2026-06-30T21:00Z", 2)).map(([, tick]) => tick)).toEqual(["23:00", "Jul"]);
});
