import { clientAddress, SHARED_ADDRESS } from "@/lib/limits/address";

function addressOf(headers: Record<string, string>, hops = 1, vercel = false): string {
  return clientAddress(new Headers(headers), hops, vercel);
}

describe("the address of a client", () => {
  const spoofed = { "x-forwarded-for": "1.1.1.1, 2.2.2.2, 198.51.100.7" };

  it.each([
    ["no trusted proxy: the header may be forged", 0, SHARED_ADDRESS],
    ["one proxy: the entry it added", 1, "198.51.100.7"],
    ["two proxies: the entry the outer one added", 2, "2.2.2.2"],
    ["more proxies than entries: the request bypassed them", 4, SHARED_ADDRESS],
  ])("%s", (_when, hops, address) => {
    expect(addressOf(spoofed, hops)).toBe(address);
  });

  it("is not affected by entries that the client forged", () => {
    const forged = ["9.9.9.9", "9.9.9.9, 8.8.8.8", "unknown", '"', "", ",,,", "::1", "127.0.0.1"];
    const addresses = forged.map((entry) => addressOf({ "x-forwarded-for": `${entry}, 198.51.100.7` }));
    expect(new Set(addresses)).toEqual(new Set(["198.51.100.7"]));
  });

  it("comes from Vercel's own header on Vercel, and from no other", () => {
    const headers = { "x-forwarded-for": "1.1.1.1", "x-real-ip": "1.1.1.1", forwarded: "for=1.1.1.1" };
    expect(addressOf(headers, 1, true)).toBe(SHARED_ADDRESS);
    expect(addressOf({ ...headers, "x-vercel-forwarded-for": "203.0.113.9" }, 0, true)).toBe("203.0.113.9");
    expect(addressOf({ "x-vercel-forwarded-for": "203.0.113.9" }, 1, false)).toBe(SHARED_ADDRESS);
  });

  it.each([
    "",
    "unknown",
    "_hidden",
    "256.1.1.1",
    "1.2.3",
    "0x7f000001",
    "localhost",
    "[::1",
    "1.2.3.4.5",
    "a".repeat(60),
  ])("is not taken from the invalid entry %p", (entry) => {
    expect(addressOf({ "x-forwarded-for": entry })).toBe(SHARED_ADDRESS);
  });
});

describe("one spelling for each client", () => {
  it.each([
    ["198.51.100.7:4711", "198.51.100.7"],
    ["::ffff:198.51.100.7", "198.51.100.7"],
    ["[::ffff:c633:6407]:443", "198.51.100.7"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["[2001:DB8:1:2:3:4:5:6]:4711", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80::/64"],
  ])("turns %s into %s", (entry, address) => {
    expect(addressOf({ "x-forwarded-for": entry })).toBe(address);
  });

  it("keeps two networks apart", () => {
    expect(addressOf({ "x-forwarded-for": "2001:db8:1:3::1" })).not.toBe(
      addressOf({ "x-forwarded-for": "2001:db8:1:2::1" }),
    );
  });
});
