import { type Box, boxesIn, writeBox } from "./boxes.ts";
import { plainProfile } from "./colour-profile.ts";

const known = [
  "ispe",
  "pixi",
  "av1C",
  "colr",
  "auxC",
  "irot",
  "imir",
  "clap",
  "pasp",
  "clli",
  "mdcv",
  "cclv",
];
known.push("a1op", "a1lx", "lsel");

/**
 * The item properties box with plain colour profiles. The place of a property is its name, so one of an unknown
 * kind stays, with its bytes set to 0.
 */
export function keepProperties(bytes: Buffer, iprp: Box): { box: Buffer; foreignColours: boolean } {
  let foreignColours = false;
  const property = (box: Box): Buffer => {
    const whole = bytes.subarray(box.start, box.end);
    if (box.type === "colr" && ["prof", "rICC"].includes(colourType(bytes, box))) {
      const plain = plainProfile(bytes.subarray(box.content + 4, box.end));
      foreignColours ||= plain === undefined;
      return plain === undefined ? whole : writeBox("colr", Buffer.concat([Buffer.from("prof"), plain]));
    }
    return known.includes(box.type) ? whole : writeBox(box.type, Buffer.alloc(box.end - box.content));
  };
  const children = boxesIn(bytes, iprp.content, iprp.end).map((box) =>
    box.type === "ipco"
      ? writeBox("ipco", Buffer.concat(boxesIn(bytes, box.content, box.end).map(property)))
      : bytes.subarray(box.start, box.end),
  );
  return { box: writeBox("iprp", Buffer.concat(children)), foreignColours };
}

function colourType(bytes: Buffer, box: Box): string {
  return bytes.toString("latin1", box.content, Math.min(box.content + 4, box.end));
}
