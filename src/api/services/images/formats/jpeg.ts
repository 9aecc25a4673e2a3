import { brokenImage } from "../image-error.ts";
import { plainProfile } from "./colour-profile.ts";
import { exifOrientation } from "./exif-orientation.ts";
import { type Cleaned, cleaned } from "./format.ts";

/* Markers of ITU T.81, table B.1. */
const SOS = 0xda;
const EOI = 0xd9;
const COMMENT = 0xfe;
const APP0 = 0xe0;
const APP15 = 0xef;
// Tables, frame headers and the line count: what a picture consists of, beside its scans.
const pictureMarkers = new Set([0xc4, 0xcc, 0xdb, 0xdc, 0xdd, ...range(0xc0, 0xc3), ...range(0xc5, 0xcb)]);
for (const marker of range(0xcd, 0xcf)) pictureMarkers.add(marker);

const MAX_SEGMENT = 65_533;
const MAX_SCANS = 100;
const PROFILE_HEAD = 14;

/**
 * Keeps the picture's own segments and drops every application segment and comment but JFIF (without its
 * thumbnail), Adobe's colour transform and a plain colour profile. Ends at the first end-of-image marker.
 */
export function cleanJpeg(bytes: Buffer): Cleaned {
  const parts: Buffer[] = [bytes.subarray(0, 2)];
  const profileParts = new Map<number, Buffer>();
  let profileAt: number | undefined;
  let profileTotal = 0;
  let orientation = 1;
  let scans = 0;
  let at = 2;

  for (;;) {
    if (bytes[at] !== 0xff) throw brokenImage("there is no marker where one has to be");
    while (bytes[at] === 0xff) at++;
    const marker = bytes[at++];
    if (marker === undefined) throw brokenImage("the file ends early");
    if (marker === EOI) break;

    if (at + 2 > bytes.length) throw brokenImage("the file ends early");
    const end = at + bytes.readUInt16BE(at);
    if (end < at + 2 || end > bytes.length) throw brokenImage("the file ends early");
    const payload = bytes.subarray(at + 2, end);

    if (marker === SOS) {
      // A decoder goes over the whole picture for each.
      if (++scans > MAX_SCANS) throw brokenImage("it has too many scans");
      const scanEnd = endOfScan(bytes, end);
      parts.push(segment(marker, payload), bytes.subarray(end, scanEnd));
      at = scanEnd;
      continue;
    }
    at = end;
    if (pictureMarkers.has(marker)) {
      parts.push(segment(marker, payload));
    } else if (marker === APP0 && startsWith(payload, "JFIF\0") && payload.length >= 14) {
      parts.push(segment(marker, Buffer.concat([payload.subarray(0, 12), Buffer.alloc(2)])));
    } else if (marker === 0xe1 && startsWith(payload, "Exif\0\0")) {
      orientation = exifOrientation(payload.subarray(6));
    } else if (marker === 0xe2 && startsWith(payload, "ICC_PROFILE\0") && payload.length > PROFILE_HEAD) {
      profileAt ??= parts.push(Buffer.alloc(0)) - 1;
      profileParts.set(payload[12] ?? 0, payload.subarray(PROFILE_HEAD));
      profileTotal = payload[13] ?? 0;
    } else if (marker === 0xee && startsWith(payload, "Adobe") && payload.length >= 12) {
      parts.push(segment(marker, payload.subarray(0, 12)));
    } else if (marker !== COMMENT && (marker < APP0 || marker > APP15)) {
      throw brokenImage("it has a segment of an unknown kind");
    }
  }
  if (scans === 0) throw brokenImage("it has no picture in it");
  parts.push(Buffer.from([0xff, EOI]));

  const profile = joinProfile(profileParts, profileTotal);
  const plain = profile && plainProfile(profile);
  if (profile !== undefined && profileAt !== undefined)
    parts[profileAt] = Buffer.concat(profileSegments(plain ?? profile));
  return cleaned(bytes, parts, {
    orientation,
    foreignColours: profile !== undefined && plain === undefined,
  });
}

/** Where the marker stands that ends the scan. Inside, 0xff is followed by 0 (a data byte) or a restart marker. */
function endOfScan(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    const next = at < 0 ? undefined : bytes[at + 1];
    if (next === undefined) throw brokenImage("the file ends early");
    if (next === 0 || (next >= 0xd0 && next <= 0xd7)) at += 2;
    else if (next === 0xff) at += 1;
    else return at;
  }
}

function segment(marker: number, payload: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
}

function joinProfile(parts: Map<number, Buffer>, total: number): Buffer | undefined {
  const ordered = range(1, total).map((number) => parts.get(number));
  if (total === 0 || ordered.length !== parts.size) return undefined;
  return ordered.every((part) => part !== undefined) ? Buffer.concat(ordered) : undefined;
}

function profileSegments(profile: Buffer): Buffer[] {
  const size = MAX_SEGMENT - PROFILE_HEAD;
  const total = Math.ceil(profile.length / size);
  return range(1, total).map((number) =>
    segment(
      0xe2,
      Buffer.concat([
        Buffer.from("ICC_PROFILE\0", "latin1"),
        Buffer.from([number, total]),
        profile.subarray((number - 1) * size, number * size),
      ]),
    ),
  );
}

function startsWith(payload: Buffer, text: string): boolean {
  return payload.toString("latin1", 0, text.length) === text;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
