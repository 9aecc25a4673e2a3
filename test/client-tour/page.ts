import { type TourInput, tour } from "./tour.ts";

/* The tour in a page, for the test to call. */

Object.assign(globalThis, {
  tour: (input: TourInput) => tour(input, () => console.log("connected")),
});
