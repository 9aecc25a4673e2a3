import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectionOptions } from "./connection-options.ts";

test("the kernel asks after ten seconds of silence whether the database's host is still there", async () => {
  const server = net.createServer((socket) => void socket.destroy());
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const setKeepAlive = vi.spyOn(net.Socket.prototype, "setKeepAlive");
  onTestFinished(() => setKeepAlive.mockRestore());
  const { port } = server.address() as AddressInfo;
  const pool = new pg.Pool(connectionOptions({ host: "127.0.0.1", port, user: "nobody" }));
  await expect(pool.connect()).rejects.toThrow();
  expect(setKeepAlive).toHaveBeenCalledWith(true, 10_000);
  await pool.end();
});
