import { randomUUID } from "node:crypto";
import { requestResetForm } from "@/lib/features/account/reset/actions";
import { registerForm, signInForm } from "@/lib/features/account/sign-in/actions";
import { type FormState, INITIAL_FORM_STATE } from "@/lib/transport/form-state";
import { callAction, redirectTarget, toFormData } from "@/tests/support/action-request";
import { createCaller } from "@/tests/support/app";
import { newUser, PASSWORD } from "@/tests/support/factories";

jest.mock("next/headers", () => jest.requireActual("@/tests/support/action-request").nextHeaders);

type Post = (previous: FormState, form: FormData) => Promise<FormState>;

let addresses = 0;
/** A new address for each form, so that one test's failures do not count in another. */
const newAddress = () => `10.80.${process.pid % 256}.${++addresses}`;

/** Posts a form as a browser without scripts does, and returns the page's state or the redirect. */
async function send(post: Post, fields: object, address = newAddress()) {
  const { answer, cookies } = await callAction(
    async () =>
      post(INITIAL_FORM_STATE, toFormData(fields)).catch((thrown: unknown) => ({
        redirectTarget: redirectTarget(thrown),
      })),
    { address },
  );
  return {
    ...INITIAL_FORM_STATE,
    redirectTarget: undefined,
    ...answer,
    cookie: cookies.session?.value,
    device: cookies.device,
  };
}

const freeName = () => `f${randomUUID().slice(0, 12)}`;

describe("a form that the browser posts without a script", () => {
  it("signs in and redirects to the page first requested", async () => {
    const { username } = await newUser();
    const answer = await send(signInForm, { username, password: PASSWORD, next: "/content?status=draft#top" });
    expect(answer).toMatchObject({ redirectTarget: "/content?status=draft#top", failure: null });
    expect(answer.device).toMatchObject({ value: expect.any(String), options: { httpOnly: true } });
    expect((await createCaller(`session=${answer.cookie}`).get("/api/user")).body).toMatchObject({ username });
  });

  it("registers, with or without an e-mail, and redirects", async () => {
    const [one, other] = [freeName(), freeName()];
    expect(await send(registerForm, { username: one, email: "", password: PASSWORD, next: "/settings" })).toMatchObject(
      {
        redirectTarget: "/settings",
      },
    );
    const answer = await send(registerForm, { username: other, email: `${other}@Example.com`, password: PASSWORD });
    expect(answer.redirectTarget).toBe("/");
    expect((await createCaller(`session=${answer.cookie}`).get("/api/user")).body).toMatchObject({
      username: other,
      email: `${other}@example.com`,
    });
  });

  it.each([
    ...[
      "//evil.example",
      "https://evil.example/",
      "/\\evil.example",
      "javascript:alert(1)",
      "/api/user",
      "/auth",
      "\0",
    ],
    ...["data:text/html,x", "settings", " /settings", "", ["/settings", "/a"]],
  ])("redirects to / when next is %j", async (next) => {
    const { username } = await newUser();
    const answer = await send(signInForm, { username, password: PASSWORD, next });
    expect(answer.redirectTarget).toBe("/");
  });

  it("returns the sentence and what was typed, but never the password", async () => {
    const { username } = await newUser();
    const secret = `secret-${randomUUID()}`;
    const login = await send(signInForm, { username: ` ${username}`, password: secret });
    expect(login).toMatchObject({ typed: { username: ` ${username}` }, failure: { type: "UNAUTHENTICATED" } });
    expect(login.failure?.error).toBe("The username or password is not right. Check both, then try again.");
    const typed = { username: username.toUpperCase(), email: "maren@example.com" };
    const register = await send(registerForm, { ...typed, password: secret });
    expect(register).toMatchObject({
      typed,
      failure: { type: "DUPLICATE", fields: { username: [expect.any(String)] } },
    });
    for (const answer of [login, register]) {
      expect(JSON.stringify(answer)).not.toContain(secret);
      expect(answer.cookie).toBeUndefined();
    }
  });

  it("shares the limits of the other endpoints", async () => {
    const { username } = await newUser();
    const address = newAddress();
    for (let n = 0; n < 10; n++) {
      // Alternates between both endpoints, which count together.
      if (n % 2) await createCaller(undefined, address).post("/api/login", { username, password: "not it at all" });
      else await send(signInForm, { username, password: "not it at all" }, address);
    }
    const refused = await send(signInForm, { username, password: PASSWORD }, address);
    expect(refused).toMatchObject({ failure: { type: "RATE_LIMITED", error: expect.any(String) }, cookie: undefined });
  });

  it("says that a link was sent, with or without an account, and stays on the page", async () => {
    expect(await send(requestResetForm, { email: `${freeName()}@example.com`, next: "/settings" })).toMatchObject({
      done: true,
      redirectTarget: undefined,
      failure: null,
    });
    expect(await send(requestResetForm, { email: "nowhere" })).toMatchObject({
      done: false,
      typed: { email: "nowhere" },
      failure: { fields: { email: ["Please enter a valid email address"] } },
    });
  });
});

const file = () => new File(["maren"], "name.txt", { type: "text/plain" });
const HUGE = "x".repeat(5_000_000);

describe("input that our forms never send", () => {
  const forms: [string, Post, string[]][] = [
    ["signInForm", signInForm, ["username", "password"]],
    ["registerForm", registerForm, ["username", "email", "password"]],
    ["requestResetForm", requestResetForm, ["email"]],
  ];
  const good = { username: "somebody.new", email: "somebody@example.com", password: PASSWORD };

  it.each(forms)("%s shows a sentence at the field", async (_name, post, fields) => {
    for (const field of fields) {
      // The e-mail is optional at registration, so only a value can be wrong.
      const optional = post === registerForm && field === "email";
      const bad = [HUGE, ...(optional ? [] : [file(), [good.password, good.password], undefined, ""])];
      // As a sign-in password it is merely wrong.
      if (post !== signInForm || field !== "password") bad.push("\0");
      for (const value of bad) {
        const { failure, cookie } = await send(post, { ...good, username: freeName(), [field]: value });
        expect([field, failure?.type, Object.keys(failure?.fields ?? {})]).toEqual([
          field,
          "VALIDATION_ERROR",
          [field],
        ]);
        expect(failure?.fields?.[field]?.[0]).toMatch(/^[A-Z][^{}<>]+[.!]?$/);
        expect(cookie).toBeUndefined();
      }
    }
  });

  it.each(forms)("%s refuses anything that is no form", async (_name, post) => {
    for (const form of [undefined, null, 7, "username=x", [], {}, new Map([["username", "x"]])]) {
      const { answer } = await callAction(() => post(INITIAL_FORM_STATE, form as never), { address: newAddress() });
      expect(answer.failure?.type).toBe("VALIDATION_ERROR");
    }
  });
});
