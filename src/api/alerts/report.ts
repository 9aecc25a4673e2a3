import { reportErrorsOf } from "../database/report-error.ts";

export const report = reportErrorsOf("alerts");
