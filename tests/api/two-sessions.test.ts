import { NextRequest } from "next/server";
import { optionalActor, pageActor } from "@/lib/auth/actor";
import { handleNextAuth } from "@/lib/features/account/google/writes/oauth";
import { callAction, redirectTarget } from "@/tests/support/action-request";
import { createCaller } from "@/tests/support/app";
import { newUser, PASSWORD } from "@/tests/support/factories";

jest.mock("next/headers", () => jest.requireActual("@/tests/support/action-request").nextHeaders);

const CLEAR_COOKIES = /^Your browser sent two different sign-ins .* Delete this site's cookies, then sign in\.$/;
const MISTAKEN = /^Your browser sent a cookie .* Delete this site's cookies, then sign in\.$/;

/** Who is signed in with this Cookie header, according to the API, a page and a server action. */
async function seenBy(cookie: string) {
  const { saveSettingsAction } = await import("@/lib/features/sites/actions");
  const page = await callAction(() => pageActor().catch(redirectTarget), { cookie });
  const action = await callAction(() => saveSettingsAction({ wordpressUsername: "gardener" }), { cookie });
  return {
    api: (await createCaller(cookie).get<{ id?: string }>("/api/user")).body.id,
    page: typeof page.answer === "string" ? page.answer : page.answer.userId,
    action: action.answer.ok ? action.answer.data.id : action.answer.error.type,
  };
}

/** The response of next-auth's endpoint: a status, and the sentence of a refusal. */
async function nextAuthAnswers(cookie: string, ...nextauth: string[]) {
  const request = new NextRequest(`http://localhost:3000/api/auth/${nextauth.join("/")}`, { headers: { cookie } });
  const { answer } = await callAction(() => handleNextAuth(request, { params: Promise.resolve({ nextauth }) }), {
    cookie,
  });
  const isJson = answer.headers.get("content-type")?.includes("json");
  const error = isJson ? ((await answer.json()) as { error?: string }).error : undefined;
  return { status: answer.status, error, location: answer.headers.get("location") };
}

describe("two session cookies in one request", () => {
  it("sign nobody in when they differ, for API, page and action, in either order", async () => {
    const [mine, planted] = [await newUser(), await newUser()];
    const [first, second] = [mine.caller.cookie() ?? "", planted.caller.cookie() ?? ""];
    const one = { api: mine.id, page: mine.id, action: mine.id };
    expect(await seenBy(first)).toEqual(one);
    for (const cookie of [`${first}; ${second}`, `${second}; ${first}`, `${first}; session=`, `session=x; ${first}`]) {
      expect([cookie, await seenBy(cookie)]).toEqual([cookie, { page: "/auth", action: "UNAUTHENTICATED" }]);
    }
  });

  it("count as one session when they are equal, whatever other cookies there are", async () => {
    const { caller, id } = await newUser();
    const cookie = caller.cookie() ?? "";
    for (const sent of [`${cookie}; ${cookie}`, `theme=dark; ${cookie}; sessions=2; xsession=1`]) {
      expect([sent, await seenBy(sent)]).toEqual([sent, { api: id, page: id, action: id }]);
    }
  });

  it("are refused with advice, even at sign-in, because the planted cookie would stay", async () => {
    const { caller, username } = await newUser();
    const twice = `${caller.cookie()}; session=${"x".repeat(43)}`;
    const input = { username, password: PASSWORD };
    for (const answer of [
      await createCaller(twice).get<{ error?: string }>("/api/user"),
      await createCaller(twice).post<{ error?: string }>("/api/login", input),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([401, expect.stringMatching(CLEAR_COOKIES)]);
    }
    const { signInForm } = await import("@/lib/features/account/sign-in/actions");
    const { wrapFormAction } = await import("@/tests/support/action-request");
    const { answer } = await callAction(() => wrapFormAction(signInForm)(input), { cookie: twice });
    expect(JSON.stringify(answer)).toContain("Delete this site's cookies, then sign in.");
    expect((await callAction(optionalActor, { cookie: twice })).answer).toBeUndefined();
  });
});

describe("cookies that only next-auth would read as a session", () => {
  it("are refused at its endpoints: parts, longer names, an encoded value, another order", async () => {
    const { caller } = await newUser();
    const cookie = caller.cookie() ?? "";
    const token = cookie.slice("session=".length);
    const encoded = `session=%${token.charCodeAt(0).toString(16)}${token.slice(1)}`;
    for (const sent of [`session.0=${token}`, `${cookie}; session.1=x`, `sessions=${token}`, encoded]) {
      const answer = await nextAuthAnswers(sent, "session");
      expect([sent, answer.status, answer.error]).toEqual([sent, 401, expect.stringMatching(MISTAKEN)]);
    }
    const two = await nextAuthAnswers(`session=x; ${cookie}`, "session");
    expect([two.status, two.error]).toEqual([401, expect.stringMatching(CLEAR_COOKIES)]);
    expect((await nextAuthAnswers(cookie, "session")).status).toBe(200);
    expect((await nextAuthAnswers("theme=dark; xsession=1", "session")).status).toBe(200);
  });

  it("redirect a return from Google to the sign-in page, which says what to do", async () => {
    const answer = await nextAuthAnswers("session.0=x", "callback", "google");
    expect([answer.status, answer.location]).toEqual([302, "/auth?error=Cookies"]);
    const { signInFailure } = await import("@/lib/auth/sign-in-failure");
    expect(signInFailure("Cookies")).toMatch(MISTAKEN);
  });
});
