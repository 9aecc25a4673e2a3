import { parentPort, workerData } from "node:worker_threads";
import { type ContenderName, contenders, messageLength, saltAt } from "./contenders.ts";

/** A thread that searches with one of the contenders, salt by salt, until the shared flag is set or a salt is found. */
export type ContenderSettings = { name: ContenderName; message: Uint8Array; stopFlag: Int32Array };
/** Whether to stop when a salt is found, or to keep counting tries. */
export type ContenderRequest = { stopAtFind: boolean };
export type ContenderReport = { tried: number };

const triesPerCheck = 64;

const { name, message, stopFlag } = workerData as ContenderSettings;
const test = await contenders[name]();
const counter = new DataView(message.buffer, message.byteOffset, messageLength);

parentPort?.on("message", ({ stopAtFind }: ContenderRequest) => {
  crypto.getRandomValues(message.subarray(saltAt, saltAt + 32));
  let found = false;
  let tried = 0;
  while (!(found && stopAtFind) && Atomics.load(stopFlag, 0) === 0) {
    for (let index = 0; index < triesPerCheck && !(found && stopAtFind); index++) {
      counter.setUint32(saltAt + 28, tried++);
      found = test(message) || found;
    }
  }
  parentPort?.postMessage({ tried } satisfies ContenderReport);
});
parentPort?.postMessage("ready");
