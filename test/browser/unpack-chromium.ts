import chromium from "@sparticuz/chromium";

/* Unpacks the package's Chromium with its fonts and libraries. The package takes the target folder from TMPDIR only. */

await chromium.executablePath();
