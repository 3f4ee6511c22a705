import { testedSites } from "@/scripts/wordpress-sites";

const namesOf = (words?: string) => testedSites(words).map(({ name }) => name);

describe("the WordPress sites that are tested", () => {
  it("are every build with every kind of permalinks in every place", () => {
    const sites = testedSites();
    expect(sites).toHaveLength(18);
    expect(new Set(sites.map(({ options }) => JSON.stringify(options))).size).toBe(18);
    expect(new Set(sites.map(({ title }) => title)).size).toBe(18);
    expect(sites).toContainEqual({
      name: "oldest-plain-subdirectory",
      title: "WordPress 6.2 on SQLite with plain permalinks in a subdirectory",
      options: { build: "oldest", permalinks: "plain", subdirectory: "/blog" },
    });
  });

  it("are chosen by the beginnings of their names", () => {
    expect(namesOf("debian-plain, newest-pretty-network")).toEqual([
      "debian-plain-root",
      "debian-plain-subdirectory",
      "debian-plain-network",
      "newest-pretty-network",
    ]);
    expect(namesOf("")).toEqual(namesOf());
  });

  it.each(["sqlite", "debian,sqlite", "debian,"])("are listed if a name matches none of them: %s", (words) => {
    expect(() => testedSites(words)).toThrow(
      /No site is called "(sqlite)?"\. .*debian-pretty-root, .*newest-plain-network/,
    );
  });
});
