/** An address of IPFS, or one of a gateway, that ends in a CID of the kinds that images here have. */
const addressed = /^(?:ipfs:\/\/|https?:\/\/[^/?#]+\/(?:[^?#]*\/)?ipfs\/)(baf(?:krei|ybei)[a-z2-7]{52})$/;

/** Where our own gateway has a registered image, if it was uploaded here. Null: it is no image that the gateway can have. */
export function imageHttpUrl(imageUrl: string | null, baseUrl: string): string | null {
  const cid = addressed.exec(imageUrl ?? "")?.[1];
  return cid === undefined ? null : `${baseUrl}/ipfs/${cid}`;
}
