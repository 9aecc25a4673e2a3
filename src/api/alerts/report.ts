import { reportErrorsOf } from "../database/retry.ts";

export const report = reportErrorsOf("alerts");
