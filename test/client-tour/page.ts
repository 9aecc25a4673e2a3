import { type TourInput, tour } from "./tour.ts";

/* Makes the tour available to the test in a page. */

Object.assign(globalThis, {
  tour: (input: TourInput) => tour(input, () => console.log("connected")),
});
