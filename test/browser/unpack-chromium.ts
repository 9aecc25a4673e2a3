import chromium from "@sparticuz/chromium";

/* Unpacks the package's Chromium, its fonts and libraries into TMPDIR, which it asks for in no other way. */

await chromium.executablePath();
