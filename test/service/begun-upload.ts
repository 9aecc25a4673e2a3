const partHeader = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
const end = "\r\n--b--\r\n";

/** The beginning of an upload of this many bytes, for a raw connection. `address` is for X-Forwarded-For. */
export function uploadHead(address: string, bytes: number): string {
  const length = partHeader.length + bytes + end.length;
  return `POST /api/upload-image HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${address}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: ${length}\r\n\r\n${partHeader}`;
}

/** The rest of an upload that begins with `uploadHead`. */
export const uploadRest = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.from(end)]);
