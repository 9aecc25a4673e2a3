/** What an upload may be. Everything beyond it is refused. */
export const imageLimits = {
  /** Bytes of one file, as sent and as stored: 5 MB. The stream is cut there. */
  bytes: 5 * 1024 * 1024,
  /** Bytes of a request around the file: boundaries, part headers, other fields. */
  envelopeBytes: 64 * 1024,
  /** Pixels of one side. */
  side: 8_192,
  /**
   * Pixels of one frame. What encoding holds in memory for each decides: JPEG, PNG and GIF are streamed, WebP takes up to
   * 20 bytes a pixel and AVIF up to 30.
   */
  framePixels: { png: 25_000_000, jpeg: 25_000_000, gif: 25_000_000, webp: 5_000_000, avif: 3_200_000 },
  /** Pixels of all frames of an animation together, which bounds the time: half a second for a million. */
  animationPixels: 20_000_000,
  frames: 1_000,
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
export const uploadSlots = { max: 100, maxPerOwner: 10, stallMs: 2_000 };

/** Answers of the gateway at a time, each of which holds up to 256 KiB, in all and to one client. */
export const gatewaySlots = { max: 400, maxPerOwner: 200, stallMs: 5_000 };

/** What decoding may take. Every decoder is a process of its own, and handles one image at a time. */
export const decoderLimits = {
  /** Bytes of the images that wait for a decoder. */
  waitingBytes: 24 * 2 ** 20,
  /** Resident memory of one decoder. 85 MB of it is Node and libvips, mostly pages that it shares with the service. */
  residentBytes: 224 * 2 ** 20,
  /** A process that holds more than this after an image is replaced. */
  idleBytes: 130 * 2 ** 20,
  /** Seconds of processor time that one image may take. */
  cpuSeconds: 30,
  /** Seconds that one image may take altogether, should the machine be busy or the decoder hang. */
  seconds: 120,
  /** Behind everything else that the machine has to do. */
  niceness: 10,
  /** Images after which a decoder is replaced, so that nothing accumulates in it. */
  imagesPerProcess: 200,
};

export type DecoderLimits = typeof decoderLimits;

/** Widths in which an image can be had, in pixels. */
export const resizedWidths = ["64", "256", "512"] as const;

/** What a resized image may be. */
export const resizedLimits = {
  /** Bytes. As many as the gateway holds of any image for a client. */
  bytes: 256 * 1024,
  /** How many times its width it may be high: a taller one comes out narrower. */
  heights: 4,
  /** Pixels of all frames together for which an animation stays one. */
  animationPixels: 4_000_000,
};

/** Images that wait to be resized, and how long, in milliseconds. One at a time is resized while the next one is read. */
export const resizingQueue = { concurrency: 2, maxWaiting: 100, maxWaitMs: 15_000 };

/** Hours for which an upload that no registration mentions is kept, unless the room for such uploads is full. */
export const keepUnusedHours = 24;
