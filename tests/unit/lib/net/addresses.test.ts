import { isAllowedAddress, isListed, parseAllowedHosts } from "@/lib/net/addresses";

const allowed = (address: string, list = "", granted = false) =>
  isAllowedAddress(address, parseAllowedHosts(list), granted);

describe("an address", () => {
  it.each(["93.184.215.14", "2606:4700::1111", "::ffff:93.184.215.14"])(
    "is allowed when it is public: %s",
    (address) => {
      expect(allowed(address)).toBe(true);
    },
  );

  it.each([
    ["10.1.2.3", "10.0.0.0/8"],
    ["fd12:3456::1", "fd12::/16"],
    ["::1", "::1/128"],
  ])("in a private network is allowed when that network is listed: %s", (address, network) => {
    expect(allowed(address)).toBe(false);
    expect(allowed(address, network)).toBe(true);
  });

  it.each([
    ["10.1.2.3", "192.168.0.0/16"],
    ["fd13::1", "fd12::/16"],
    ["10.1.2.3", "fd12::/16"],
    ["fd12::1", "10.0.0.0/8"],
  ])("in a private network is refused when only another network is listed: %s, %s", (address, network) => {
    expect(allowed(address, network)).toBe(false);
  });

  it.each(["10.1.2.3", "::1", "fd12::1", "127.0.0.1"])(
    "is allowed when an allowed name resolves to it: %s",
    (address) => {
      expect(allowed(address, "", true)).toBe(true);
    },
  );

  it.each([
    "169.254.169.254",
    "224.0.0.1",
    "255.255.255.255",
    "0.0.0.0",
    "168.63.129.16",
    "fd00:ec2::254",
    "::7f00:1",
    "64:ff9b::a00:1",
    "2002:a00:1::1",
    "no address",
  ])("is never allowed: %s", (address) => {
    expect(allowed(address, "0.0.0.0/0, ::/0", true)).toBe(false);
  });
});

describe("the list of allowed hosts", () => {
  it.each([
    ["blog.internal", "http://blog.internal:8080/", true],
    ["blog.internal:443", "https://blog.internal/", true],
    ["blog.internal:443", "http://blog.internal/", false],
    ["blog.internal:80", "http://blog.internal/", true],
    ["blog.internal:80", "https://blog.internal/", false],
    ["blog.internal:8080", "https://blog.internal/", false],
    ["::1", "http://[::1]:8080/", true],
    ["[::1]:8080", "http://[::1]:8080/", true],
    [" , BLOG.internal,", "http://blog.internal/", true],
    ["10.0.0.0/8", "http://10.0.0.1/", false],
  ])("%p names %s: %s", (list, url, isNamed) => {
    expect(isListed(new URL(url), parseAllowedHosts(list))).toBe(isNamed);
  });
});
