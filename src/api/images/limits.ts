/** Limits of an uploaded image. Anything beyond them is refused. */
export const imageLimits = {
  /** Bytes of one file, as sent and as stored: 5 MB. Reading stops there. */
  bytes: 5 * 1024 * 1024,
  /** Bytes of a request around the file: boundaries, part headers, other fields. */
  envelopeBytes: 64 * 1024,
  /** Pixels of one side. */
  side: 8_192,
  /**
   * Pixels of one frame, by the memory that encoding takes: JPEG, PNG and GIF are streamed, WebP takes up to 20 bytes per pixel and
   * AVIF up to 30.
   */
  framePixels: { png: 25_000_000, jpeg: 25_000_000, gif: 25_000_000, webp: 5_000_000, avif: 3_200_000 },
  /** Pixels of all frames of an animation together. Limits the time, which is half a second per million. */
  animationPixels: 20_000_000,
  frames: 1_000,
};

export const receivingLimits = {
  /** Milliseconds that a client may take to send the file. */
  totalMs: 60_000,
  /** Until it is complete, at least `windowBytes` have to arrive in each window. */
  windowMs: 5_000,
  windowBytes: 32 * 1024,
  /** Bytes of each upload that are held in memory. A longer one goes to the disk. */
  memoryBytes: 64 * 1024,
};

/**
 * The most concurrent uploads, in all and of one client; after how long a stalled one may be revoked; and how long a received one
 * waits for its turn to be decoded and stored.
 */
export const uploadSlots = { max: 100, maxPerOwner: 10, stallMs: 2_000, maxWaitMs: 60_000 };

/** The slots for responses of the gateway, each of which holds up to 256 KiB. */
export const gatewaySlots = { max: 400, maxPerOwner: 200, stallMs: 5_000 };

const urlQueue = { concurrency: uploadSlots.max, maxWaiting: uploadSlots.max, maxWaitMs: 10_000 };

/** Limits of reading an image from a URL: for everything, and at a time from one server, of which one client gets half. */
export const fetchingLimits = {
  timeoutMs: 20_000,
  perAddress: { ...urlQueue, maxPerClient: 4 },
  perClientAndAddress: { ...urlQueue, maxPerClient: 2 },
};

/** Limits of decoding. Every decoder is a separate process, and handles one image at a time. */
export const decoderLimits = {
  /** Bytes of the images that wait for a decoder. */
  waitingBytes: 24 * 2 ** 20,
  /** Resident memory of one decoder. 85 MB of it is Node and libvips, mostly pages that it shares with the service. */
  residentBytes: 224 * 2 ** 20,
  /** A process that still holds more memory than this after an image is replaced. */
  idleBytes: 130 * 2 ** 20,
  /** Seconds of processor time that one image may take. */
  cpuSeconds: 30,
  /** Seconds of real time that one image may take, in case the machine is busy or the decoder hangs. */
  seconds: 120,
  /** Lower priority than everything else on the machine. */
  niceness: 10,
  /** Images after which a decoder is replaced, so that nothing accumulates in it. */
  imagesPerProcess: 200,
};

export type DecoderLimits = typeof decoderLimits;

/** The widths that an image can be resized to, in pixels. */
export const resizedWidths = ["64", "128", "256", "512"] as const;

export const resizedLimits = {
  /** Bytes: as many as the gateway holds of any image for a client. */
  bytes: 256 * 1024,
  /** The greatest ratio of height to width. A taller image is made narrower. */
  heights: 4,
  /** The most pixels of all frames together for which an animation stays animated. */
  animationPixels: 4_000_000,
};

/** The queue of images to resize. One is resized while the next one is read. */
export const resizingQueue = { concurrency: 2, maxWaiting: 500, maxWaitMs: 15_000 };

/** The queue of images to fetch from S3, each of which is held in memory. */
export const fetchingQueue = { concurrency: 4, maxWaiting: 200, maxWaitMs: 15_000 };

/** For how many milliseconds an image that couldn't be fetched is not asked for again, and how many of these are remembered. */
export const failedFetches = { ttl: 10_000, max: 10_000 };

/** Hours that an upload which no registration mentions is kept, unless the room for such uploads is full. */
export const unusedRetentionHours = 24;
