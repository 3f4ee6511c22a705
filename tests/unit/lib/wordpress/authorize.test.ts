import { authorizeAddress, authorizingSite, isExpectedSite, passwordsPage, refusalOf } from "@/lib/wordpress/authorize";

const HOME = "https://x.example/blog";
const PAGE = "https://x.example/blog/wp/wp-admin/authorize-application.php";
const SAID = { home: "https://www.x.example/blog/", url: "https://x.example/blog/wp", authorization: PAGE };
const APP = "https://planner.example";

describe("a site that may be asked for a password", () => {
  it("is at its home and where WordPress itself is, each place once", () => {
    expect(authorizingSite(HOME, SAID)).toEqual({
      home: HOME,
      places: ["x.example/blog", "x.example/blog/wp"],
      authorization: PAGE,
    });
    expect(authorizingSite(HOME, { home: null, url: null, authorization: null }).places).toEqual(["x.example/blog"]);
    expect(authorizingSite(HOME, null)).toEqual({ home: HOME, places: ["x.example/blog"], authorization: null });
  });

  it.each([
    ["on another host", "https://y.example/blog/wp-admin/authorize-application.php"],
    ["of another site of the host", "https://x.example/other/wp-admin/authorize-application.php"],
    ["with a name before it", "https://x.example@y.example/blog/wp-admin/authorize-application.php"],
  ])("has no page to approve at that is %s", (_what, authorization) => {
    expect(authorizingSite(HOME, { ...SAID, authorization }).authorization).toBeNull();
  });

  it.each([
    ["site and app over https", HOME, APP, null],
    ["a site over http", "http://x.example", APP, "plain-http"],
    ["an app over http", HOME, "http://planner.example", "plain-http"],
    ["an app on this machine, and a site that is not", HOME, "http://localhost:3000", "plain-http"],
    ["both on this machine, where WordPress allows http", "http://127.0.0.1:8080", "http://localhost:3000", null],
  ] as const)("is asked only if the password travels encrypted: %s", (_what, home, appUrl, reason) => {
    const authorization = `${home}/wp-admin/authorize-application.php`;
    expect(refusalOf({ home, places: [], authorization }, appUrl)).toBe(reason);
  });

  it("says that http is why it names no page, and else that it names none", () => {
    expect(refusalOf({ home: "http://x.example", places: [], authorization: null }, APP)).toBe("plain-http");
    expect(refusalOf({ home: HOME, places: [], authorization: null }, APP)).toBe("no-endpoint");
  });
});

it("asks for approval with both return addresses, of which one says that there is none", () => {
  const back = `${APP}/api/wordpress/connected/state`;
  const url = new URL(authorizeAddress(`${PAGE}?lang=de`, back));
  expect(Object.fromEntries(url.searchParams)).toEqual({
    lang: "de",
    app_name: "Content Planner",
    app_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    success_url: back,
    reject_url: `${back}?success=false`,
  });
});

it("opens the page without return addresses to copy a password, or else the profile", () => {
  const page = new URL(passwordsPage(authorizingSite(HOME, SAID)));
  expect(page.origin + page.pathname).toBe(PAGE);
  expect([...page.searchParams.keys()]).toEqual(["app_name", "app_id"]);
  expect(passwordsPage(authorizingSite(HOME, null))).toBe(
    "https://x.example/blog/wp-admin/profile.php#application-passwords-section",
  );
});

describe("the site that answered", () => {
  const { places } = authorizingSite(HOME, SAID);

  it.each(["https://x.example/blog", "http://www.x.example/blog/", "https://X.example/blog/wp"])(
    "is the one that was asked: %s",
    (siteUrl) => expect(isExpectedSite(siteUrl, places)).toBe(true),
  );

  it.each([
    "https://x.example",
    "https://x.example/blog/wp/other",
    "https://x.example:8443/blog",
    "https://blog.x.example/blog",
    "https://x.example.y.example/blog",
    "https://x.example/blog@y.example",
    "ftp://x.example/blog",
    "//x.example/blog",
    "x.example/blog",
    "https://",
    "",
  ])("is another one: %s", (siteUrl) => expect(isExpectedSite(siteUrl, places)).toBe(false));
});
