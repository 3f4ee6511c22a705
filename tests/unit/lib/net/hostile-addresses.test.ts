import { gzipSync } from "node:zlib";
import { createSafeFetch } from "@/lib/net/safe-fetch";
import { fakeDns, outcome, serveSite } from "@/tests/support/outgoing";

/** Loopback, private, link-local, metadata and reserved addresses, in every spelling. */
const IPV4 = [
  ...["127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "127.255.255.254", "2130706433", "017700000001", "0177.0.0.1"],
  ...[
    "0x7f000001",
    "0x7f.1",
    "0x7f.0.0.1",
    "0X7F.0x0.0x0.0x1",
    "0177.1",
    "127.0.0.1%2e",
    "%31%32%37.0.0.1",
    "0",
    "0.0.0.0",
    "0.1.2.3",
  ],
  ...["10.0.0.1", "10.255.255.255", "167772161", "012.0.0.1", "172.16.0.1", "172.31.255.255", "2886729729"],
  ...["192.168.0.1", "192.168.1.1.", "3232235521", "0xc0a80001", "0300.0250.0.1", "192.168.257"],
  ...["100.64.0.1", "100.127.255.254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "192.0.0.8"],
  ...[
    "169.254.169.254",
    "169.254.169.254.",
    "169.254.170.2",
    "169.254.0.1",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
  ],
  ...[
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "198.19.255.254",
    "198.51.100.1",
    "203.0.113.1",
    "192.31.196.1",
    "192.52.193.1",
  ],
  ...["224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "4294967295"],
  ...["①②⑦.⓪.⓪.①", "１２７．０．０．１", "127。0。0。1", "１０.0.0.1", "𝟏𝟔𝟗.254.169.254"],
];
const IPV6 = [
  ...["[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[0000:0000::0001]", "[::127.0.0.1]", "[::a00:1]"],
  ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:10.0.0.1]", "[::ffff:a9fe:a9fe]", "[::ffff:0.0.0.0]"],
  ...["[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::10.0.0.1]"],
  ...["[2002:7f00:1::]", "[2002:a9fe:a9fe::]", "[2002:c0a8:1::1]", "[2001:0:53aa:64c:0:fbff:80ff:fffe]", "[2001::1]"],
  ...["[fe80::1]", "[fe80::a9fe:a9fe]", "[febf::1]", "[fec0::1]", "[fc00::1]", "[fd12:3456:789a::1]"],
  ...["[fd00:ec2::254]", "[fd20:ce::254]", "[fd00:42::42]", "[ff02::1]", "[ff05::2]", "[100::1]", "[5f00::1]"],
  ...["[2001:db8::1]", "[3fff::1]", "[2001:2::1]", "[2001:20::1]", "[2620:4f:8000::1]", "[4000::1]", "[e000::1]"],
];

/** Host names and the addresses they resolve to. */
const NAMES: Record<string, string[][]> = {
  localhost: [["127.0.0.1", "::1"]],
  "localhost.": [["127.0.0.1"]],
  "LOCALHOST.localdomain": [["127.0.0.1"]],
  "metadata.google.internal": [["169.254.169.254"]],
  "127.0.0.1.nip.io": [["127.0.0.1"]],
  "private.example.com": [["10.1.2.3"]],
  "nat.example.com": [["100.64.3.4"]],
  "zero.example.com": [["0.0.0.0"]],
  "everyone.example.com": [["255.255.255.255"]],
  "group.example.com": [["224.0.0.251"]],
  "mapped.example.com": [["::ffff:10.0.0.1"]],
  "translated.example.com": [["64:ff9b::a00:1"]],
  "tunnel.example.com": [["2002:a00:1::1"]],
  "scoped.example.com": [["fe80::1%eth0"]],
  "six.example.com": [["fd12:3456::1"]],
  "aws6.example.com": [["fd00:ec2::254"]],
  "mixed.example.com": [["93.184.215.14", "192.168.0.1"]],
  "last-of-many.example.com": [["93.184.215.14", "93.184.215.15", "93.184.215.16", "127.0.0.1"]],
  "mixed-families.example.com": [["93.184.215.14", "fd12:3456::1"]],
  "mixed-families-2.example.com": [["2606:4700::1111", "127.0.0.1"]],
  "bücher.example.com": [["127.0.0.1"]],
  "nonsense.example.com": [["not an address"]],
};
// A URL has its host name in lower-case ASCII.
const lookup = fakeDns(
  Object.fromEntries(Object.entries(NAMES).map(([name, to]) => [new URL(`http://${name}`).hostname, to])),
);

describe("addresses entered by a user", () => {
  it("blocks every hostile one", async () => {
    const trap = await serveSite((_request, response) => response.end("reached"));
    const redirector = await serveSite((request, response) => {
      response.writeHead(302, { location: decodeURIComponent((request.url ?? "").slice(1)) }).end();
    });
    const redirectorHost = `127.0.0.1:${redirector.port}`;
    const redirectTo = (target: string) => `http://${redirectorHost}/${encodeURIComponent(target)}`;

    const hostile = [
      ...[...IPV4, ...IPV6, ...Object.keys(NAMES)].map((host) => `http://${host}:${trap.port}/`),
      "https://127.0.0.1/",
      "https://[::1]/",
      "http://0x7f000001/",
      // Disguised addresses.
      `http://example.com@127.0.0.1:${trap.port}/`,
      `http://example.com:80@127.0.0.1:${trap.port}/`,
      `http://user:secret@93.184.215.14/`,
      `http://127.0.0.1:${trap.port}\\@example.com/`,
      `http://127.0.0.1:${trap.port}#@example.com/`,
      `http:127.0.0.1:${trap.port}/`,
      `http:\\\\127.0.0.1:${trap.port}\\`,
      `ht\ntp://127.0.0.1:${trap.port}/`,
      `http://127.0.0.1\t:${trap.port}/`,
      // Redirects from another site.
      ...["127.0.0.1", "localhost", "[::1]", "0x7f.1", "%31%32%37.0.0.1", "mixed.example.com"].map((host) =>
        redirectTo(`http://${host}:${trap.port}/`),
      ),
      redirectTo(`//127.0.0.1:${trap.port}/`),
      redirectTo("http://169.254.169.254/latest/meta-data/"),
      redirectTo("http://[fd00:ec2::254]/latest/meta-data/"),
      redirectTo("http://metadata.google.internal/computeMetadata/v1/"),
      redirectTo(redirectTo(`http://127.0.0.1:${trap.port}/`)),
      redirectTo(`http://user@${redirectorHost}/`),
      redirectTo("file:///etc/passwd"),
      redirectTo("gopher://127.0.0.1:6379/_FLUSHALL"),
      // Not addresses of web sites.
      "file:///etc/passwd",
      "gopher://127.0.0.1:6379/_FLUSHALL",
      "ftp://127.0.0.1/",
      "ws://127.0.0.1/",
      "dict://127.0.0.1:11211/stats",
      "jar:http://127.0.0.1!/",
      "data:text/html,hello",
      "javascript:alert(1)",
      "blob:http://127.0.0.1/1",
      "http://",
      "http://[::1",
      "http://[fe80::1%25eth0]/",
      "http://1.2.3.4.5.6/",
      "http://256.1.1.1/",
      "//127.0.0.1/",
      // Ports of other services.
      ...[22, 25, 6000, 6667].map((port) => `http://93.184.215.14:${port}/`),
    ];
    const fetchSafely = createSafeFetch({ allowedHosts: redirectorHost, lookup });
    const outcomes = await Promise.all(
      hostile.map(async (url) => ({ url, outcome: await outcome(fetchSafely, url, { timeoutMs: 2_000 }) })),
    );
    const passed = outcomes.filter((each) => each.outcome !== "blocked" && each.outcome !== "protocol");
    process.stdout.write(`S12: ${hostile.length - passed.length} of ${hostile.length} blocked\n`);
    expect(passed).toEqual([]);
    expect(trap.hits).toEqual([]);
    expect(new Set(hostile).size).toBe(hostile.length);
    expect(hostile.length).toBeGreaterThanOrEqual(60);
  });

  it("reaches public ones", async () => {
    const connected: string[] = [];
    // The names resolve to an allowed local address, which stands in for a public one.
    const site = await serveSite((request, response) => {
      connected.push(request.headers.host ?? "");
      response.end("hello");
    }, "127.0.0.9");
    const names = fakeDns({ "blog.example.com": [["127.0.0.9"]], "xn--bcher-kva.example.com": [["127.0.0.9"]] });
    const fetchSafely = createSafeFetch({ allowedHosts: "127.0.0.9/32", lookup: names });
    expect(await outcome(fetchSafely, `http://blog.example.com:${site.port}/`)).toBe("answered 200");
    expect(await outcome(fetchSafely, `http://bücher.example.com:${site.port}/`)).toBe("answered 200");
    expect(connected).toHaveLength(2);
  });
});

describe("a name that changes its address", () => {
  it("is checked by the address connected to, with one lookup for each connection", async () => {
    const first = await serveSite(
      (_request, response) => response.writeHead(200, { connection: "close" }).end("public"),
      "127.0.0.2",
    );
    const trap = await serveSite((_request, response) => response.end("reached"));
    const countedLookup = jest.fn(fakeDns({ "rebind.example.com": [["127.0.0.2"], ["127.0.0.1"]] }));
    const fetchSafely = createSafeFetch({ allowedHosts: "127.0.0.2/32", lookup: countedLookup });
    expect(await outcome(fetchSafely, `http://rebind.example.com:${first.port}/`)).toBe("answered 200");
    expect(countedLookup).toHaveBeenCalledTimes(1);
    expect(await outcome(fetchSafely, `http://rebind.example.com:${trap.port}/`)).toBe("blocked");
    expect(countedLookup).toHaveBeenCalledTimes(2);
    expect(first.hits).toEqual(["GET /"]);
    expect(trap.hits).toEqual([]);
  });

  it("is checked again at each redirect", async () => {
    const trap = await serveSite((_request, response) => response.end("reached"));
    const site = await serveSite((_request, response) => {
      response.writeHead(302, { location: `http://rebind.example.com:${trap.port}/`, connection: "close" }).end();
    }, "127.0.0.2");
    const fetchSafely = createSafeFetch({
      allowedHosts: "127.0.0.2/32",
      lookup: fakeDns({ "rebind.example.com": [["127.0.0.2"], ["127.0.0.1"]] }),
    });
    expect(await outcome(fetchSafely, `http://rebind.example.com:${site.port}/`)).toBe("blocked");
    expect(trap.hits).toEqual([]);
  });
});

describe("the limits of a response", () => {
  const fetchSafely = createSafeFetch({ allowedHosts: "127.0.0.1" });

  it("count its size after decompression: 20 KB of gzip can hold 20 MB", async () => {
    const packed = gzipSync(Buffer.alloc(20_000_000));
    const twice = gzipSync(packed);
    const site = await serveSite((request, response) => {
      const encoding = request.url === "/twice" ? "gzip, gzip" : "gzip";
      response.writeHead(200, { "content-encoding": encoding }).end(request.url === "/twice" ? twice : packed);
    });
    expect(packed.length).toBeLessThan(25_000);
    expect(await outcome(fetchSafely, site.url)).toBe("too-large");
    expect(await outcome(fetchSafely, `${site.url}/twice`)).toBe("too-large");
  });

  it("stop the download once it is too large, whatever length it claims", async () => {
    let sent = 0;
    const site = await serveSite((_request, response) => {
      const chunk = Buffer.alloc(100_000);
      const more = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on("drain", more);
      more();
    });
    expect(await outcome(fetchSafely, site.url)).toBe("too-large");
    expect(sent).toBeLessThan(20_000_000);
  });

  it("allow ten seconds in all, redirects and body included", async () => {
    const timers = jest.spyOn(globalThis, "setTimeout");
    const site = await serveSite((request, response) => {
      if (request.url === "/") response.writeHead(302, { location: "/home" }).end();
      else response.end("home");
    });
    expect(await outcome(fetchSafely, site.url)).toBe("answered 200");
    expect(timers.mock.calls.filter(([, ms]) => ms === 10_000)).toHaveLength(1);
  });
});
