import type { ProxiedRequest, ProxyAnswer } from "@/tests/faults/faults";
import {
  belowIndexPhp,
  faultOn,
  firstOf,
  halfBatch,
  kindOf,
  loggedOut,
  withoutApiLink,
} from "@/tests/faults/publishing/support/wordpress-faults";

// The faults that know WordPress.

const asked = (method: string, path: string, body = ""): ProxiedRequest => ({
  method,
  path,
  body,
  headers: {},
  count: 1,
});

/** What a fault forwards and answers when the site gives this answer. */
async function seen(fault: ReturnType<typeof loggedOut>, request: ProxiedRequest, answer: Partial<ProxyAnswer> = {}) {
  const forwarded: unknown[] = [];
  let answered: ProxyAnswer | "dropped" | undefined;
  await fault({
    request,
    forward: async (changes = {}) => {
      forwarded.push(changes);
      return { status: 200, headers: {}, body: "", ...answer };
    },
    answer: (given) => {
      answered = given;
    },
    drop: () => {
      answered = "dropped";
    },
  });
  return { forwarded, answered };
}

it.each([
  ["GET", "/", "page"],
  ["GET", "/wp-json/", "index"],
  ["GET", "/wp-json/wp/v2/users/me", "index"],
  ["POST", "/wp-json/wp/v2/posts?_fields=id", "create"],
  ["POST", "/index.php?rest_route=/wp/v2/posts&_fields=id", "create"],
  ["POST", "/blog/wp-json/wp/v2/posts/7", "update"],
  ["GET", "/wp-json/wp/v2/posts?slug=a,b", "lookup"],
  ["GET", "/index.php?rest_route=%2Fwp%2Fv2%2Fposts&slug=a", "lookup"],
  ["GET", "/wp-json/wp/v2/posts?include=1", "read"],
  ["GET", "/wp-json/wp/v2/posts/7", "read"],
  ["POST", "/wp-json/batch/v1", "batch"],
  ["POST", "/wp-json/wp/v2/categories", "category"],
  ["GET", "/wp-json/wp/v2/categories/3", "categories"],
])("knows what %s %s is for: %s", (method, path, kind) => {
  expect(kindOf(asked(method, path))).toBe(kind);
});

it("makes a fault for the first requests of a kind", () => {
  const [one, two] = [loggedOut(), loggedOut()];
  const rule = firstOf(faultOn("create", one, 1), faultOn(["create", "update"], two));
  const create = asked("POST", "/wp-json/wp/v2/posts");
  expect([rule(create), rule(create), rule(asked("GET", "/"))]).toEqual([one, two, undefined]);
});

it("does the first half of a batch, and breaks the connection", async () => {
  const batch = { validation: "normal", requests: [{ path: "/1" }, { path: "/2" }, { path: "/3" }] };
  const { forwarded, answered } = await seen(halfBatch(2), asked("POST", "/wp-json/batch/v1", JSON.stringify(batch)));
  expect(forwarded).toEqual([{ body: JSON.stringify({ ...batch, requests: batch.requests.slice(0, 2) }) }]);
  expect(answered).toBe("dropped");
});

it("takes the link to the API out of a page's headers and text", async () => {
  const page = {
    headers: { link: '<http://site.test/wp-json/>; rel="https://api.w.org/"', server: "nginx" },
    body: `<head><link rel="https://api.w.org/" href="http://site.test/wp-json/" /><title>Home</title></head>`,
  };
  const { answered } = await seen(withoutApiLink(), asked("GET", "/"), page);
  expect(answered).toMatchObject({ headers: { server: "nginx" }, body: "<head><title>Home</title></head>" });
  expect(JSON.stringify(answered)).not.toContain("api.w.org");
});

it("puts the API below index.php", async () => {
  const link = '<http://site.test/wp-json/>; rel="https://api.w.org/"';
  const { forwarded, answered } = await seen(belowIndexPhp(), asked("GET", "/index.php/wp-json/wp/v2/posts?slug=a"), {
    headers: { link },
    body: "http://site.test/wp-json/wp/v2",
  });
  expect(forwarded).toEqual([{ path: "/wp-json/wp/v2/posts?slug=a" }]);
  expect(answered).toMatchObject({
    headers: { link: '<http://site.test/index.php/wp-json/>; rel="https://api.w.org/"' },
    body: "http://site.test/index.php/wp-json/wp/v2",
  });
});

it("refuses a write as WordPress does", async () => {
  const { forwarded, answered } = await seen(loggedOut(), asked("POST", "/wp-json/wp/v2/posts/7"));
  expect([forwarded, answered]).toEqual([[], expect.objectContaining({ status: 401 })]);
});
