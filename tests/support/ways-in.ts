import { createCaller } from "@/tests/support/app";
import { PASSWORD } from "@/tests/support/factories";
import type { TokenIssuer } from "@/tests/support/id-tokens";

type Attempt = {
  username: string;
  password: string;
  /** What the browser had before. */
  cookie: string | undefined;
  address: string;
  /** For ways that look at no password: the proof is not good. */
  forged?: boolean;
};

/** `cookie` is what the browser has been given: `session=…`. */
export type Entered = { ok: boolean; cookie: string | undefined };

let names = 0;
const freeName = () => `way.in.${process.pid}.${Date.now() % 1e6}.${++names}`;

/** Every way to a session, route or action; to register is to sign in too. For suites that mock next/headers. */
export async function waysIn(issuer: TokenIssuer): Promise<Record<string, (attempt: Attempt) => Promise<Entered>>> {
  const actions = await import("@/lib/features/account/actions");
  const { asAction, callAction } = await import("@/tests/support/action-request");

  async function byRoute(path: string, body: object, { cookie, address }: Attempt, headers = {}): Promise<Entered> {
    const caller = createCaller(cookie, address);
    const { status } = await caller.post(path, body, headers);
    return { ok: status < 300, cookie: caller.cookie() === cookie ? undefined : caller.cookie() };
  }

  async function byAction(action: (input: unknown) => Promise<{ ok: boolean }>, input: object, attempt: Attempt) {
    const { answer, cookies } = await callAction(() => action(input), attempt);
    const set = cookies.session;
    return { ok: answer.ok, cookie: set ? `session=${set.value}` : undefined };
  }

  const login = ({ username, password }: Attempt) => ({ username, password });
  const account = ({ password }: Attempt) => ({ username: freeName(), password });
  return {
    "POST /api/login": (attempt) => byRoute("/api/login", login(attempt), attempt),
    "POST /api/register": (attempt) => byRoute("/api/register", account(attempt), attempt),
    "POST /api/firebase-auth": async (attempt) => {
      const token = await (attempt.forged ? issuer.forged() : issuer.token({ sub: freeName(), email_verified: false }));
      return byRoute("/api/firebase-auth", {}, attempt, { authorization: `Bearer ${token}` });
    },
    signInAction: (attempt) => byAction(actions.signInAction, login(attempt), attempt),
    registerAction: (attempt) => byAction(actions.registerAction, account(attempt), attempt),
    signInForm: (attempt) => byAction(asAction(actions.signInForm), login(attempt), attempt),
    registerForm: (attempt) => byAction(asAction(actions.registerForm), account(attempt), attempt),
  };
}

/** One Set-Cookie of the session, as a route writes it, an action asks Next for it, or next-auth is told to. */
type SessionCookie = {
  door: string;
  name: string;
  httpOnly: boolean;
  secure: boolean;
  sameSite: string;
  path: string;
  domain: string | undefined;
};

/** The session's cookie from every door that sets it, in a process that answers under this address. */
export async function cookiesOf(appUrl: string, issuer: TokenIssuer, mark: string): Promise<SessionCookie[]> {
  const before = process.env.APP_URL;
  process.env.APP_URL = appUrl;
  const told: SessionCookie[] = [];
  try {
    await jest.isolateModulesAsync(async () => {
      const { SESSION_COOKIE } = await import("@/lib/auth/sessions");
      const { prisma } = await import("@/lib/db/prisma");
      const actions = await import("@/lib/features/account/actions");
      const { asAction, callAction } = await import("@/tests/support/action-request");
      let token = "";

      async function route(door: string, load: () => Promise<object>, body?: object, headers: object = {}) {
        const [method = "", path] = door === "slid" ? ["GET", "/api/user"] : door.split(" ");
        const handler = ((await load()) as Record<string, (request: Request) => Promise<Response>>)[method];
        const cookie: Record<string, string> = token && !body ? { cookie: `${SESSION_COOKIE}=${token}` } : {};
        const answer = await handler?.(
          new Request(`${appUrl}${path}`, {
            method,
            headers: { "content-type": "application/json", "x-forwarded-for": "10.78.0.1", ...cookie, ...headers },
            ...(body ? { body: JSON.stringify(body) } : {}),
          }),
        );
        const set = answer?.headers.get("set-cookie") ?? "";
        const [pair = "", ...attributes] = set.split("; ");
        const has = Object.fromEntries(attributes.map((one) => one.toLowerCase().split("=")));
        const [name = "", value = ""] = pair.split("=");
        if (body) token = value;
        told.push({
          door,
          name,
          httpOnly: "httponly" in has,
          secure: "secure" in has,
          sameSite: has.samesite,
          path: has.path,
          domain: has.domain,
        });
      }

      async function action(door: string, call: (input: unknown) => Promise<unknown>, input: unknown) {
        const { cookies } = await callAction(() => call(input));
        for (const [name, { options }] of Object.entries(cookies))
          told.push({ door, name, ...options } as SessionCookie);
      }

      const account = (name: string) => ({ username: `${mark}.${name}`, password: PASSWORD });
      await prisma.user.deleteMany({ where: { username: { startsWith: mark } } });
      const { registerAction, registerForm, signInAction, signInForm, signOutAction } = actions;
      const registered = account("first");
      await callAction(() => registerAction(registered));
      await route("POST /api/login", () => import("@/app/api/login/route"), registered);
      await route("POST /api/register", () => import("@/app/api/register/route"), account("second"));
      const authorization = `Bearer ${await issuer.token({ sub: `${mark}.uid`, email_verified: false })}`;
      await route("POST /api/firebase-auth", () => import("@/app/api/firebase-auth/route"), {}, { authorization });
      const old = token;
      await route("POST /api/logout", () => import("@/app/api/logout/route"));
      token = old;
      const { hashToken, createSession } = await import("@/lib/auth/sessions");
      const { id } = await prisma.user.findFirstOrThrow({ where: { username: `${mark}.first` }, select: { id: true } });
      token = (await createSession(id, { address: "10.77.0.2" })).token;
      const expires = new Date(Date.now() + 28 * 86_400_000);
      await prisma.session.updateMany({ where: { sessionToken: hashToken(token) }, data: { expires } });
      await route("slid", () => import("@/app/api/user/route"));
      await action("signInAction", signInAction, registered);
      await action("registerAction", registerAction, account("third"));
      await action("signInForm", asAction(signInForm), registered);
      await action("registerForm", asAction(registerForm), account("fourth"));
      await action("signOutAction", signOutAction, undefined);
      const { authOptions } = await import("@/lib/auth/options");
      const { cookies } = authOptions({ admit: async () => false, signedIn: async () => undefined });
      const { name, options } = cookies?.sessionToken ?? { name: "", options: {} };
      told.push({ door: "next-auth", name, ...options } as SessionCookie);
      await prisma.$disconnect();
    });
  } finally {
    process.env.APP_URL = before;
  }
  return told;
}
