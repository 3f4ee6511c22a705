import { randomUUID } from "node:crypto";
import { registerForm, requestResetForm, signInForm } from "@/lib/features/account/actions";
import { NOT_POSTED, type PostedForm } from "@/lib/utils/posted-form";
import { callAction, formOf, ledTo } from "@/tests/support/action-request";
import { createCaller } from "@/tests/support/app";
import { newPerson, PASSWORD } from "@/tests/support/factories";

jest.mock("next/headers", () => jest.requireActual("@/tests/support/action-request").nextHeaders);

type Post = (previous: PostedForm, form: FormData) => Promise<PostedForm>;

let addresses = 0;
/** Of its own for each form, so that one test's failures do not count in another's. */
const newAddress = () => `10.80.${process.pid % 256}.${++addresses}`;

/** Posts a form as a browser without scripts does; answers what the page is drawn with, or where it leads. */
async function send(post: Post, fields: object, address = newAddress()) {
  const { answer, cookies } = await callAction(
    async () => post(NOT_POSTED, formOf(fields)).catch((thrown: unknown) => ({ ledTo: ledTo(thrown) })),
    { address },
  );
  return { ...NOT_POSTED, ledTo: undefined, ...answer, cookie: cookies.session?.value };
}

const freeName = () => `f${randomUUID().slice(0, 12)}`;

describe("a form that the browser posts without a script", () => {
  it("signs in and leads to the page first asked for", async () => {
    const { username } = await newPerson();
    const answer = await send(signInForm, { username, password: PASSWORD, next: "/content?status=draft#top" });
    expect(answer).toMatchObject({ ledTo: "/content?status=draft#top", failure: null });
    expect((await createCaller(`session=${answer.cookie}`).get("/api/user")).body).toMatchObject({ username });
  });

  it("registers, with or without an e-mail, and leads on", async () => {
    const [one, other] = [freeName(), freeName()];
    expect(await send(registerForm, { username: one, email: "", password: PASSWORD, next: "/settings" })).toMatchObject(
      {
        ledTo: "/settings",
      },
    );
    const answer = await send(registerForm, { username: other, email: `${other}@Example.com`, password: PASSWORD });
    expect(answer.ledTo).toBe("/");
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
  ])("leads to / where next is %j", async (next) => {
    const { username } = await newPerson();
    const answer = await send(signInForm, { username, password: PASSWORD, next });
    expect(answer.ledTo).toBe("/");
  });

  it("comes back with the sentence and what was typed, never with the password", async () => {
    const { username } = await newPerson();
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

  it("is held to the limits of the other doors", async () => {
    const { username } = await newPerson();
    const address = newAddress();
    for (let n = 0; n < 10; n++) {
      // In turn by both doors: they count together.
      if (n % 2) await createCaller(undefined, address).post("/api/login", { username, password: "not it at all" });
      else await send(signInForm, { username, password: "not it at all" }, address);
    }
    const refused = await send(signInForm, { username, password: PASSWORD }, address);
    expect(refused).toMatchObject({ failure: { type: "RATE_LIMITED", error: expect.any(String) }, cookie: undefined });
  });

  it("tells that a link was sent, account or not, and stays where it is", async () => {
    expect(await send(requestResetForm, { email: `${freeName()}@example.com`, next: "/settings" })).toMatchObject({
      done: true,
      ledTo: undefined,
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

describe("what our forms never send", () => {
  const forms: [string, Post, string[]][] = [
    ["signInForm", signInForm, ["username", "password"]],
    ["registerForm", registerForm, ["username", "email", "password"]],
    ["requestResetForm", requestResetForm, ["email"]],
  ];
  const good = { username: "somebody.new", email: "somebody@example.com", password: PASSWORD };

  it.each(forms)("%s answers with a sentence at the field", async (_name, post, fields) => {
    for (const field of fields) {
      // An e-mail need not be given to register, so only what is not empty can be wrong there.
      const optional = post === registerForm && field === "email";
      const bad = [HUGE, ...(optional ? [] : [file(), [good.password, good.password], undefined, ""])];
      // As a password to sign in with it is only a wrong one.
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

  it.each(forms)("%s takes nothing for a form that is none", async (_name, post) => {
    for (const form of [undefined, null, 7, "username=x", [], {}, new Map([["username", "x"]])]) {
      const { answer } = await callAction(() => post(NOT_POSTED, form as never), { address: newAddress() });
      expect(answer.failure?.type).toBe("VALIDATION_ERROR");
    }
  });
});
