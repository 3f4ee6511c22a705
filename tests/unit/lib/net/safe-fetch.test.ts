import { createSafeFetch, type SafeFetchOptions } from "@/lib/net/safe-fetch";
import type { UnreachableError } from "@/lib/net/unreachable";
import { freePort } from "@/scripts/ports";
import { namesFor, outcome, serve } from "@/tests/support/outgoing";

describe("the operator's allowed hosts", () => {
  it.each([
    ["the host", () => "127.0.0.1"],
    ["host and port", (port: number) => `127.0.0.1:${port}`],
    ["its network", () => "192.168.0.0/16, 127.0.0.0/8"],
  ])("opens a private address by %s", async (_by, list) => {
    const site = await serve((_request, response) => response.end("hello"));
    expect(await outcome(createSafeFetch({ allowedHosts: list(site.port) }), site.url)).toBe("answered 200");
  });

  it("opens a name for the port that was listed and no other", async () => {
    const site = await serve((_request, response) => response.end("hello"));
    const other = await serve((_request, response) => response.end("hello"));
    const lookup = namesFor({ "blog.internal": [["127.0.0.1"]] });
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
  ])("never opens %s, listed by host and by network, nor a name that leads there", async (host) => {
    const address = host.replace(/^\[|\]$/g, "");
    const lookup = namesFor({ "metadata.internal": [[address]] });
    const fetchSafely = createSafeFetch({ allowedHosts: `${host}, metadata.internal, 0.0.0.0/0, ::/0`, lookup });
    expect(await outcome(fetchSafely, `http://${host}/`)).toBe("blocked");
    expect(await outcome(fetchSafely, "http://metadata.internal/")).toBe("blocked");
  });

  it("opens every private network with 0.0.0.0/0, as the operator asked", async () => {
    const site = await serve((_request, response) => response.end("hello"));
    expect(await outcome(createSafeFetch({ allowedHosts: "0.0.0.0/0" }), site.url)).toBe("answered 200");
    expect(await outcome(createSafeFetch({ allowedHosts: "::/0" }), site.url)).toBe("blocked");
  });

  it.each(["10.0.0.0/33", "http://blog.internal", "a b", "user@host", "host:port"])(
    "refuses the bad entry %p",
    (entry) => {
      expect(() => createSafeFetch({ allowedHosts: entry })).toThrow(
        /^WORDPRESS_ALLOWED_HOSTS must list .* is none\.$/,
      );
    },
  );
});

describe("redirects", () => {
  it("follows three of a read and tells where it ended", async () => {
    const site = await serve((request, response) => {
      const step = Number(request.url?.slice(1));
      if (step < 3) response.writeHead(302, { location: `/${step + 1}` }).end();
      else response.end("home");
    });
    const fetchSafely = createSafeFetch({ allowedHosts: "127.0.0.1" });
    await expect(fetchSafely(`${site.url}/0`)).resolves.toMatchObject({ url: `${site.url}/3`, text: "home" });
    expect(await outcome(fetchSafely, `${site.url}/-1`)).toBe("redirect");
  });

  it("returns those of a write without following them", async () => {
    const site = await serve((_request, response) => response.writeHead(301, { location: "/elsewhere" }).end());
    const fetchSafely = createSafeFetch({ allowedHosts: "127.0.0.1" });
    expect(await outcome(fetchSafely, site.url, { method: "POST", body: "{}" })).toBe("answered 301");
    expect(site.hits).toEqual(["POST /"]);
  });

  it("keeps the authorization at home", async () => {
    const other = await serve((_request, response) => response.end());
    const site = await serve((request, response) => {
      response.writeHead(302, { location: request.url === "/away" ? `${other.url}/landed` : "/away" }).end();
    });
    const fetchSafely = createSafeFetch({ allowedHosts: "127.0.0.1" });
    await fetchSafely(site.url, { headers: { Authorization: "Basic abc" } });
    expect(site.hits).toEqual(["GET / Basic abc", "GET /away Basic abc"]);
    expect(other.hits).toEqual(["GET /landed"]);
  });
});

describe("what ends a request", () => {
  const fetchSafely = createSafeFetch({ allowedHosts: "127.0.0.1", lookup: namesFor({}) });
  const failure = (url: string, options?: SafeFetchOptions) =>
    fetchSafely(url, options).then(
      () => ({ reason: "answered", sent: true }),
      ({ reason, sent }: UnreachableError) => ({ reason, sent }),
    );

  it("is the time-out, also while the body drips", async () => {
    const silent = await serve(() => {});
    const dripping = await serve((_request, response) => {
      const timer = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(timer));
    });
    expect(await failure(silent.url, { timeoutMs: 100 })).toEqual({ reason: "timeout", sent: true });
    expect(await failure(dripping.url, { timeoutMs: 200 })).toEqual({ reason: "timeout", sent: true });
  });

  it("is a body of more than 2 MB, unless its beginning is enough", async () => {
    const site = await serve((_request, response) => response.end("x".repeat(2_000_001)));
    expect(await failure(site.url)).toEqual({ reason: "too-large", sent: true });
    expect((await fetchSafely(site.url, { overflow: "truncate" })).text).toHaveLength(2_000_000);
    expect((await fetchSafely(site.url, { maxBytes: 3_000_000 })).text).toHaveLength(2_000_001);
  });

  it("is a refused connection or an unknown name: nothing was sent", async () => {
    expect(await failure(`http://127.0.0.1:${await freePort()}/`)).toEqual({ reason: "refused", sent: false });
    expect(await failure("http://nowhere.example.com/")).toEqual({ reason: "dns", sent: false });
  });

  it("is a connection cut after the request: it may have been read", async () => {
    const site = await serve((request) => request.socket.destroy());
    expect(await failure(site.url, { method: "POST", body: "{}" })).toEqual({ reason: "refused", sent: true });
  });

  it("is a server that speaks no TLS or no HTTP", async () => {
    const site = await serve((request) => request.socket.end("SSH-2.0-OpenSSH\r\n"));
    expect(await failure(site.url)).toEqual({ reason: "protocol", sent: true });
    expect(await failure(site.url.replace("http:", "https:"))).toEqual({ reason: "tls", sent: false });
  });
});
