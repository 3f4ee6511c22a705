import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { newUser } from "@/tests/support/factories";

const MESSAGE = "Could not connect to WordPress site. Please check your site URL and ensure it is accessible.";
const DETAIL = /^\S+ is a private address, which this server may not contact\.$/;

let connections = 0;
let traps: Server[];
let port: number;

// A listener on this machine that must not be reached.
beforeAll(async () => {
  const trap = async (host: string, wanted: number) => {
    const server = createServer((_request, response) => response.end("reached"));
    server.on("connection", () => connections++);
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(wanted, host, resolve));
    return server;
  };
  const first = await trap("127.0.0.1", 0);
  port = (first.address() as AddressInfo).port;
  // The machine may lack IPv6.
  const second = await trap("::1", port).catch(() => undefined);
  traps = second ? [first, second] : [first];
});
afterAll(() => {
  for (const server of traps) server.close();
});

/** Saves the address and tests the connection. */
async function use(wordpressUrl: string) {
  const { caller } = await newUser();
  const login = { wordpressUsername: "maren", wordpressPassword: "abcd efgh ijkl mnop" };
  const saved = await caller.patch<{ error?: string; fields?: Record<string, string[]> }>("/api/user/settings", {
    wordpressUrl,
    ...login,
  });
  const tested = await caller.post<{ error: string; detail: string; type: string }>("/api/wordpress/test");
  return { saved, tested };
}

describe("a private or invalid site address", () => {
  const hosts = [
    ...["127.0.0.1", "127.1", "2130706433", "0x7f000001", "①②⑦.⓪.⓪.①", "localhost", "LOCALHOST", "0.0.0.0"],
    ...["[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "169.254.169.254", "[fd00:ec2::254]", "10.0.0.1"],
  ];

  it.each(hosts)("is not connected to: http://%s", async (host) => {
    const { tested } = await use(`http://${host}:${port}/blog`);
    expect([tested.status, tested.body.type]).toEqual([502, "CONNECTION_ERROR"]);
    expect(tested.body.error).toBe(MESSAGE);
    expect(tested.body.detail).toMatch(DETAIL);
    expect(connections).toBe(0);
  });

  it.each([
    "http://example.com@127.0.0.1/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/",
    "http://[::1",
    "javascript:alert(1)",
  ])("is refused at its field: %s", async (address) => {
    const { saved, tested } = await use(address);
    expect(saved.status).toBe(400);
    expect(saved.body.fields?.wordpressUrl?.[0]).toBe(
      "Enter the address of your site, such as https://blog.example.com.",
    );
    expect(tested.body.type).toBe("MISSING_CREDENTIALS");
  });
});
