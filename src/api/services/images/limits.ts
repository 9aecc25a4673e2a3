/** What an upload may be. Everything beyond it is refused. */
export const imageLimits = {
  /** Bytes of one file: 5 MB. The stream is cut there. */
  bytes: 5 * 1024 * 1024,
  /** Bytes of a request around the file: boundaries, part headers, other fields. */
  envelopeBytes: 64 * 1024,
  /** Pixels of one side. */
  side: 8_192,
  /** Pixels of one frame, which bounds the memory of decoding: up to 16 bytes each, for AVIF up to 20. */
  framePixels: 25_000_000,
  avifPixels: 16_000_000,
  /** Pixels of all frames together, which bounds the time. */
  pixels: 50_000_000,
  frames: 1_000,
  /** Seconds that one decoding or encoding may take. */
  decodingSeconds: 20,
  /** Milliseconds that a client may take to send the file. */
  receivingMs: 30_000,
  /** Uploads that may be in the making at a time: each holds at most its file in memory. One more gets 503. */
  uploads: 40,
  /** Images that are decoded at a time, and how many wait for that. */
  decoding: { running: 2, waiting: 40 },
};

/** Hours for which an upload that no registration mentions is kept. */
export const keepUnusedHours = 24;
