import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { createSafeFetch, type SafeFetch, type SafeFetchOptions } from "@/lib/net/safe-fetch";
import { UnreachableError } from "@/lib/net/unreachable";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];

async function serve(handler: Handler): Promise<{ url: string; port: number; hits: string[] }> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`.trim());
    handler(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, hits };
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A DNS whose answers are written down here. A list of lists answers each question with the next list. */
function namesFor(records: Record<string, string[][]>): LookupFunction {
  const asked = new Map<string, number>();
  return (hostname, _options, callback) => {
    const turn = asked.get(hostname) ?? 0;
    asked.set(hostname, turn + 1);
    const answers = records[hostname];
    const addresses = answers?.[Math.min(turn, answers.length - 1)];
    if (!addresses) return callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []);
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
}

async function outcome(fetchSafely: SafeFetch, url: string, options?: SafeFetchOptions): Promise<string> {
  try {
    return `answered ${(await fetchSafely(url, options)).status}`;
  } catch (error) {
    if (error instanceof UnreachableError) return error.reason;
    throw error;
  }
}

const LITERALS = [
  "127.0.0.1",
  "127.1",
  "127.255.255.254",
  "2130706433",
  "017700000001",
  "0177.0.0.1",
  "0x7f000001",
  "0x7f.1",
  "0",
  "0.0.0.0",
  "10.0.0.1",
  "10.255.255.255",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "192.168.1.1.",
  "100.64.0.1",
  "100.100.100.200",
  "169.254.169.254",
  "169.254.170.2",
  "2852039166",
  "0xa9fea9fe",
  "0251.0376.0251.0376",
  "168.63.129.16",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "[::]",
  "[::1]",
  "[::127.0.0.1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:a9fe:a9fe]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::a9fe:a9fe]",
  "[64:ff9b:1::10.0.0.1]",
  "[2002:7f00:1::]",
  "[2002:a9fe:a9fe::]",
  "[2001:0:53aa:64c:0:fbff:80ff:fffe]",
  "[fe80::1]",
  "[fec0::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fd20:ce::254]",
  "[ff02::1]",
  "[100::1]",
  "[2001:db8::1]",
  "①②⑦.⓪.⓪.①",
];

const NAMES: Record<string, string[][]> = {
  localhost: [["127.0.0.1", "::1"]],
  "metadata.google.internal": [["169.254.169.254"]],
  "127.0.0.1.nip.io": [["127.0.0.1"]],
  "mapped.example.com": [["::ffff:10.0.0.1"]],
  "mixed.example.com": [["93.184.215.14", "192.168.0.1"]],
  "six.example.com": [["fd12:3456::1"]],
};

describe("addresses a person typed", () => {
  it("reaches none of the hostile ones", async () => {
    const hits: string[] = [];
    const trap = await serve((request, response) => {
      hits.push(request.url ?? "");
      response.end("reached");
    });
    const door = await serve((request, response) => {
      response.writeHead(302, { location: decodeURIComponent((request.url ?? "").slice(1)) }).end();
    });
    const doorHost = `127.0.0.1:${door.port}`;
    const through = (target: string) => `http://${doorHost}/${encodeURIComponent(target)}`;

    const hostile = [
      ...LITERALS.map((host) => `http://${host}:${trap.port}/`),
      ...Object.keys(NAMES).map((host) => `http://${host}:${trap.port}/`),
      `http://example.com@127.0.0.1:${trap.port}/`,
      `http://user:secret@93.184.215.14/`,
      `http://127.0.0.1:${trap.port}\\@example.com/`,
      through(`http://127.0.0.1:${trap.port}/`),
      through("http://169.254.169.254/latest/meta-data/"),
      through(`http://localhost:${trap.port}/`),
      through(`http://user@${doorHost}/`),
      through("file:///etc/passwd"),
      "file:///etc/passwd",
      "gopher://127.0.0.1:6379/_FLUSHALL",
      "ftp://127.0.0.1/",
      "data:text/html,hello",
      "javascript:alert(1)",
      "http://93.184.215.14:25/",
    ];
    const fetchSafely = createSafeFetch({ allowedHosts: doorHost, lookup: namesFor(NAMES) });
    const outcomes = await Promise.all(
      hostile.map(async (url) => ({ url, outcome: await outcome(fetchSafely, url, { timeoutMs: 2_000 }) })),
    );
    const passed = outcomes.filter((each) => each.outcome !== "blocked" && each.outcome !== "protocol");
    console.log(`${hostile.length - passed.length} of ${hostile.length} blocked`);
    expect(passed).toEqual([]);
    expect(hits).toEqual([]);
    expect(hostile.length).toBeGreaterThanOrEqual(60);
  });

  it("judges the address it connects to, so that a name cannot answer otherwise the second time", async () => {
    const trap = await serve((_request, response) => response.end("reached"));
    const lookup = jest.fn(namesFor({ "rebind.example.com": [["127.0.0.2"], ["127.0.0.1"]] }));
    const fetchSafely = createSafeFetch({ allowedHosts: "127.0.0.2/32", lookup });
    await outcome(fetchSafely, `http://rebind.example.com:${trap.port}/`);
    expect(await outcome(fetchSafely, `http://rebind.example.com:${trap.port}/`)).toBe("blocked");
    expect(lookup).toHaveBeenCalledTimes(2);
    expect(trap.hits).toEqual([]);
  });
});

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
  ])("never opens %s, not even when it is listed", async (host) => {
    const fetchSafely = createSafeFetch({ allowedHosts: `${host}, 0.0.0.0/0, ::/0` });
    expect(await outcome(fetchSafely, `http://${host}/`)).toBe("blocked");
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
    const gone = await serve(() => {});
    servers.pop()?.close();
    expect(await failure(gone.url)).toEqual({ reason: "refused", sent: false });
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
