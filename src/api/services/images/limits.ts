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
  /** Images that are decoded at a time, and how many wait for that. */
  decoding: { running: 2, waiting: 40 },
};

/** How a file is received. */
export const receivingLimits = {
  /** Milliseconds that a client may take to send it. */
  totalMs: 60_000,
  /** And until it is complete, so many bytes have to come in each of these spans. */
  windowMs: 5_000,
  windowBytes: 32 * 1024,
  /** Bytes of each upload that are held in memory. What is longer waits on the disk. */
  memoryBytes: 64 * 1024,
};

/** Uploads at a time, in all and of one client; and after how long without progress one gives way to others. */
export const uploadSlots = { most: 100, mostPerOwner: 10, patienceMs: 2_000 };

/** Answers of the gateway at a time, each of which holds up to 256 KiB, in all and to one client. */
export const gatewaySlots = { most: 400, mostPerOwner: 200, patienceMs: 5_000 };

/** Hours for which an upload that no registration mentions is kept, unless the room for such uploads is full. */
export const keepUnusedHours = 24;
