import { setDefaultAutoSelectFamily } from "node:net";
import { inspect } from "node:util";
import { createSafeFetch, type SafeFetchOptions } from "@/lib/net/safe-fetch";
import type { UnreachableError } from "@/lib/net/unreachable";
import { freePort } from "@/scripts/ports";
import { fakeDns, outcome, serveSite } from "@/tests/support/outgoing";

describe("the operator's allowed hosts", () => {
  it.each([
    ["the host", () => "127.0.0.1"],
    ["host and port", (port: number) => `127.0.0.1:${port}`],
    ["its network", () => "192.168.0.0/16, 127.0.0.0/8"],
  ])("allow a private address by %s", async (_by, list) => {
    const site = await serveSite((_request, response) => response.end("hello"));
    expect(await outcome(createSafeFetch({ allowedHosts: list(site.port) }), site.url)).toBe("answered 200");
  });

  it("allow a name on the listed port and no other", async () => {
    const site = await serveSite((_request, response) => response.end("hello"));
    const other = await serveSite((_request, response) => response.end("hello"));
    const lookup = fakeDns({ "blog.internal": [["127.0.0.1"]] });
    const fetchSafely = createSafeFetch({ allowedHosts: `Blog.Internal:${site.port}`, lookup });
    expect(await outcome(fetchSafely, `http://blog.internal:${site.port}/`)).toBe("answered 200");
    expect(await outcome(fetchSafely, `http://blog.internal:${other.port}/`)).toBe("blocked");
  });

  it.each([
    "169.254.169.254",
    "[::ffff:169.254.169.254]",
    "[fe80::1]",
    "[fd00:ec2::254]",
    "100.100.100.200",
    "[64:ff9b::a9fe:a9fe]",
    "[2002:a9fe:a9fe::]",
    "168.63.129.16",
    "192.0.0.192",
    "169.254.170.2",
    "0.0.0.0",
    "224.0.0.1",
  ])("never allow %s, even if it is listed, nor a name that resolves to it", async (host) => {
    const address = host.replace(/^\[|\]$/g, "");
    const lookup = fakeDns({ "metadata.internal": [[address]] });
    const fetchSafely = createSafeFetch({ allowedHosts: `${host}, metadata.internal, 0.0.0.0/0, ::/0`, lookup });
    expect(await outcome(fetchSafely, `http://${host}/`)).toBe("blocked");
    expect(await outcome(fetchSafely, "http://metadata.internal/")).toBe("blocked");
  });

  it("allow every private IPv4 network with 0.0.0.0/0", async () => {
    const site = await serveSite((_request, response) => response.end("hello"));
    expect(await outcome(createSafeFetch({ allowedHosts: "0.0.0.0/0" }), site.url)).toBe("answered 200");
    expect(await outcome(createSafeFetch({ allowedHosts: "::/0" }), site.url)).toBe("blocked");
  });

  it.each(["10.0.0.0/33", "http://blog.internal", "a b", "user@host", "host:port", "host:99999"])(
    "are refused with the invalid entry %p",
    (entry) => {
      expect(() => createSafeFetch({ allowedHosts: entry })).toThrow(
        /^WORDPRESS_ALLOWED_HOSTS must list .* is not one\.$/,
      );
    },
  );
});

describe("a host with several addresses", () => {
  afterEach(() => setDefaultAutoSelectFamily(true));

  it.each([true, false])("is reached even where Node tries only the first (tries all: %s)", async (triesAll) => {
    setDefaultAutoSelectFamily(triesAll);
    const site = await serveSite((_request, response) => response.end("hello"));
    const lookup = jest.fn(fakeDns({ "blog.internal": [["127.0.0.1", "127.0.0.2"]] }));
    const fetchSafely = createSafeFetch({ allowedHosts: "blog.internal", lookup });
    expect(await outcome(fetchSafely, `http://blog.internal:${site.port}/`)).toBe("answered 200");
    expect(lookup.mock.calls[0]?.[1]).toMatchObject({ all: true, hints: expect.any(Number) });
  });
});

describe("redirects", () => {
  it("are followed up to three times for a read, which returns the final address", async () => {
    const site = await serveSite((request, response) => {
      const step = Number(request.url?.slice(1));
      if (step < 3) response.writeHead(302, { location: `/${step + 1}` }).end();
      else response.end("home");
    });
    const fetchSafely = createSafeFetch({ allowedHosts: "127.0.0.1" });
    await expect(fetchSafely(`${site.url}/0`)).resolves.toMatchObject({ url: `${site.url}/3`, text: "home" });
    expect(await outcome(fetchSafely, `${site.url}/-1`)).toBe("redirect");
  });

  it.each([301, 302, 303, 307, 308])("are followed with status %s, also for a HEAD", async (status) => {
    const site = await serveSite((request, response) => {
      if (request.url === "/") response.writeHead(status, { location: "/home" }).end();
      else response.end("home");
    });
    const fetchSafely = createSafeFetch({ allowedHosts: "127.0.0.1" });
    expect(await outcome(fetchSafely, site.url)).toBe("answered 200");
    expect(await outcome(fetchSafely, site.url, { method: "HEAD" })).toBe("answered 200");
  });

  it.each<[number, Record<string, string>]>([
    [200, { location: "/home" }],
    [300, { location: "/home" }],
    [304, { location: "/home" }],
    [302, {}],
  ])("do not include a %s with %j, which is returned as it is", async (status, headers) => {
    const site = await serveSite((_request, response) => response.writeHead(status, headers).end());
    expect(await outcome(createSafeFetch({ allowedHosts: "127.0.0.1" }), site.url)).toBe(`answered ${status}`);
    expect(site.hits).toHaveLength(1);
  });

  it("are followed as often as the caller allows", async () => {
    const site = await serveSite((request, response) => {
      response.writeHead(request.url === "/2" ? 200 : 302, { location: `/${Number(request.url?.slice(1)) + 1}` }).end();
    });
    const fetchSafely = createSafeFetch({ allowedHosts: "127.0.0.1" });
    expect(await outcome(fetchSafely, `${site.url}/1`, { redirects: 0 })).toBe("answered 302");
    expect(await outcome(fetchSafely, `${site.url}/1`, { redirects: 1 })).toBe("answered 200");
    expect(await outcome(fetchSafely, `${site.url}/0`, { redirects: 1 })).toBe("redirect");
  });

  it("fail when the address is invalid", async () => {
    const site = await serveSite((_request, response) => response.writeHead(302, { location: "http://[" }).end());
    expect(await outcome(createSafeFetch({ allowedHosts: "127.0.0.1" }), site.url)).toBe("redirect");
  });

  it("are returned instead of followed for a write", async () => {
    const site = await serveSite((_request, response) => response.writeHead(301, { location: "/elsewhere" }).end());
    const fetchSafely = createSafeFetch({ allowedHosts: "127.0.0.1" });
    expect(await outcome(fetchSafely, site.url, { method: "POST", body: "{}" })).toBe("answered 301");
    expect(site.hits).toEqual(["POST /"]);
  });

  it("do not send the authorization to another host", async () => {
    const other = await serveSite((_request, response) => response.end());
    const site = await serveSite((request, response) => {
      response.writeHead(302, { location: request.url === "/away" ? `${other.url}/landed` : "/away" }).end();
    });
    const fetchSafely = createSafeFetch({ allowedHosts: "127.0.0.1" });
    await fetchSafely(site.url, { headers: { Authorization: "Basic abc" } });
    expect(site.hits).toEqual(["GET / Basic abc", "GET /away Basic abc"]);
    expect(other.hits).toEqual(["GET /landed"]);
  });
});

describe("a request", () => {
  const fetchSafely = createSafeFetch({ allowedHosts: "127.0.0.1", lookup: fakeDns({}) });
  const failure = (url: string, options?: SafeFetchOptions) =>
    fetchSafely(url, options).then(
      () => ({ reason: "answered", sent: true }),
      ({ reason, sent }: UnreachableError) => ({ reason, sent }),
    );

  it("times out, even while the body drips", async () => {
    const silent = await serveSite(() => {});
    const dripping = await serveSite((_request, response) => {
      const timer = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(timer));
    });
    expect(await failure(silent.url, { timeoutMs: 100 })).toEqual({ reason: "timeout", sent: true });
    expect(await failure(dripping.url, { timeoutMs: 200 })).toEqual({ reason: "timeout", sent: true });
  });

  it("ends with its signal", async () => {
    const site = await serveSite(() => undefined);
    const caller = new AbortController();
    const asked = outcome(createSafeFetch({ allowedHosts: "127.0.0.1" }), site.url, { signal: caller.signal });
    setTimeout(() => caller.abort(), 50);
    expect(await asked).toBe("timeout");
  });

  it("keeps what a server sent out of its error", async () => {
    const site = await serveSite((request) => request.socket.end("SSH-2.0-telltale\r\n"));
    const failed = await createSafeFetch({ allowedHosts: "127.0.0.1" })(site.url).catch((error: unknown) => error);
    expect(failed).toMatchObject({ reason: "protocol" });
    expect(inspect(failed, { depth: null })).not.toContain("telltale");
  });

  it("fails on a body of more than 2 MB, unless its beginning is enough", async () => {
    const site = await serveSite((_request, response) => response.end("x".repeat(2_000_001)));
    expect(await failure(site.url)).toEqual({ reason: "too-large", sent: true });
    expect((await fetchSafely(site.url, { overflow: "truncate" })).text).toHaveLength(2_000_000);
    expect((await fetchSafely(site.url, { maxBytes: 2_000_001 })).text).toHaveLength(2_000_001);
    const largest = await serveSite((_request, response) => response.end("x".repeat(2_000_000)));
    expect((await fetchSafely(largest.url)).text).toHaveLength(2_000_000);
  });

  it("fails when a body grows past its limit while it arrives", async () => {
    const site = await serveSite((_request, response) =>
      response.write("12345", () => setImmediate(() => response.end("6"))),
    );
    expect(await failure(site.url, { maxBytes: 5 })).toEqual({ reason: "too-large", sent: true });
  });

  it("returns an empty text for a response without a body", async () => {
    const site = await serveSite((_request, response) => response.writeHead(204).end());
    expect(await fetchSafely(site.url)).toMatchObject({ status: 204, text: "" });
  });

  it("fails before it is sent on a refused connection or an unknown name", async () => {
    expect(await failure(`http://127.0.0.1:${await freePort()}/`)).toEqual({ reason: "refused", sent: false });
    expect(await failure("http://nowhere.example.com/")).toEqual({ reason: "dns", sent: false });
  });

  it("fails as possibly sent when the connection is cut afterwards", async () => {
    const site = await serveSite((request) => request.socket.destroy());
    expect(await failure(site.url, { method: "POST", body: "{}" })).toEqual({ reason: "refused", sent: true });
  });

  it("fails on a server that does not speak HTTP or TLS", async () => {
    const site = await serveSite((request) => request.socket.end("SSH-2.0-OpenSSH\r\n"));
    expect(await failure(site.url)).toEqual({ reason: "protocol", sent: true });
    expect(await failure(site.url.replace("http:", "https:"))).toEqual({ reason: "tls", sent: false });
  });
});
