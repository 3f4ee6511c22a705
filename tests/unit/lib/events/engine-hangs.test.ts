/** @jest-environment node */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ENGINE_TIMEOUT_MS, inngest } from "@/lib/events/client";

/** An engine that takes the connection and then says nothing. */
const silent = createServer(() => undefined);
const after = AbortSignal.timeout.bind(AbortSignal);

beforeAll(() => new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve)));
beforeEach(() => void jest.spyOn(AbortSignal, "timeout").mockImplementation((ms) => after(ms / 100)));
afterEach(() => jest.restoreAllMocks());
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

const url = () => `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;

it("waits three seconds for the engine", () => {
  expect(ENGINE_TIMEOUT_MS).toBe(3_000);
});

it("ends each of the SDK's tries to send an event to an engine that hangs", async () => {
  await expect(inngest.fetch(`${url()}/e/key`, { method: "POST" })).rejects.toThrow("timeout");
  expect(AbortSignal.timeout).toHaveBeenCalledWith(ENGINE_TIMEOUT_MS);
});
