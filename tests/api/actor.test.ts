import {
  actorFromQueueRow,
  actorFromSignIn,
  actorFromToken,
  actorWithCall,
  optionalActor,
  pageActor,
  requestContextOf,
} from "@/lib/auth/actor";
import { nextHeaders, redirectTarget } from "@/tests/support/action-request";
import { newUser } from "@/tests/support/factories";

jest.mock("next/headers", () => jest.requireActual("@/tests/support/action-request").nextHeaders);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const context = { requestId: "mine", address: "192.0.2.7" };

function setRequestHeaders(headers: Record<string, string>): void {
  jest.spyOn(nextHeaders, "headers").mockImplementation(async () => new Headers(headers));
}

describe("the context of a request", () => {
  it("has the id and the address, and the user agent and device cookies if sent", () => {
    const headers = { "x-request-id": "mine-1", "x-forwarded-for": "192.0.2.7", "user-agent": "Firefox/126" };
    expect(requestContextOf(new Headers({ ...headers, cookie: "device=a; device=b" }))).toStrictEqual({
      requestId: "mine-1",
      address: "192.0.2.7",
      userAgent: "Firefox/126",
      devices: ["a", "b"],
    });
    expect(requestContextOf(new Headers({ cookie: "device=a" })).devices).toEqual(["a"]);
    expect(requestContextOf(new Headers())).toStrictEqual({
      requestId: expect.stringMatching(UUID),
      address: expect.any(String),
    });
  });

  it("replaces a client's request id that is not safe to log", () => {
    for (const given of ["", "a b", "a".repeat(65), "ä", "a:b"]) {
      expect(requestContextOf(new Headers({ "x-request-id": given })).requestId).toMatch(UUID);
    }
    expect(requestContextOf(new Headers({ "x-request-id": "a".repeat(64) })).requestId).toBe("a".repeat(64));
  });
});

describe("the actor", () => {
  it("is the session's user with the loaded account, or undefined without a valid session", async () => {
    const { caller, id, username } = await newUser();
    const found = await actorFromToken(caller.cookie()?.split("=")[1], context);
    expect(found?.actor).toStrictEqual({ userId: id, context, user: expect.objectContaining({ id, username }) });
    expect(found?.expires).toEqual(expect.any(Date));
    for (const token of [undefined, "", "of-another-time"]) {
      expect(await actorFromToken(token, context)).toBeUndefined();
    }
  });

  it("comes from a sign-in or a queue row without loading the account", () => {
    expect(actorFromSignIn("somebody", context)).toStrictEqual({ userId: "somebody", context });
    expect(actorFromQueueRow({ userId: "somebody", id: "7" })).toStrictEqual({
      userId: "somebody",
      context: { requestId: "queue-7", address: "background" },
    });
    const call = { key: "a key", hash: "a hash" };
    expect(actorWithCall(actorFromSignIn("somebody", context), call)).toStrictEqual({
      userId: "somebody",
      context,
      call,
    });
  });
});

describe("a page", () => {
  it("redirects a visitor to sign in, with the page to return to", async () => {
    const openPage = async (headers: Record<string, string>) => {
      setRequestHeaders(headers);
      return pageActor().catch(redirectTarget);
    };
    expect(await openPage({ "x-path": "/content?a=b" })).toBe("/auth?next=%2Fcontent%3Fa%3Db");
    expect([await openPage({ "x-path": "/" }), await openPage({})]).toEqual(["/auth", "/auth"]);
    const { caller, id } = await newUser();
    expect(await openPage({ "x-path": "/content", cookie: caller.cookie() ?? "" })).toMatchObject({ userId: id });
  });

  it("ignores two session cookies, and rethrows Next's errors", async () => {
    setRequestHeaders({ cookie: "session=a; session=b" });
    expect(await optionalActor()).toBeUndefined();
    jest.spyOn(nextHeaders, "headers").mockRejectedValue(new Error("This page is dynamic."));
    await expect(optionalActor()).rejects.toThrow("This page is dynamic.");
  });
});
