/** A URL of IPFS or of an IPFS gateway that ends in a CID of the kinds that we give images. */
const ipfsUrl = /^(?:ipfs:\/\/|https?:\/\/[^/?#]+\/(?:[^?#]*\/)?ipfs\/)(baf(?:krei|ybei)[a-z2-7]{52})$/;

/** Returns the URL of a registered image on our own gateway, or null for one that the gateway can't have. */
export function imageHttpUrl(imageUrl: string | null, baseUrl: string): string | null {
  const cid = ipfsUrl.exec(imageUrl ?? "")?.[1];
  return cid === undefined ? null : `${baseUrl}/ipfs/${cid}`;
}
