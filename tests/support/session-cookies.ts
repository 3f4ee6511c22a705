import { PASSWORD } from "@/tests/support/factories";
import type { TokenIssuer } from "@/tests/support/id-tokens";

/** The session cookie from every operation that sets one, for an app at this address. */
export async function cookiesOf(appUrl: string, issuer: TokenIssuer, mark: string): Promise<SessionCookie[]> {
  const before = process.env.APP_URL;
  process.env.APP_URL = appUrl;
  const found: SessionCookie[] = [];
  try {
    await jest.isolateModulesAsync(async () => {
      const { hashToken, SESSION_COOKIE } = await import("@/lib/auth/sessions");
      const { prisma } = await import("@/lib/db/prisma");
      const actions = await import("@/lib/features/account/sign-in/actions");
      const { wrapFormAction, callAction } = await import("@/tests/support/action-request");
      let token = "";

      /** With a body the caller signs in, and later calls send its cookie. */
      async function route(from: string, load: () => Promise<object>, body?: object, headers: object = {}) {
        const [method = "", path] = from === "slid" ? ["GET", "/api/user"] : from.split(" ");
        const handler = ((await load()) as Record<string, (request: Request) => Promise<Response>>)[method];
        const cookie: Record<string, string> = token && !body ? { cookie: `${SESSION_COOKIE}=${token}` } : {};
        const answer = await handler?.(
          new Request(`${appUrl}${path}`, {
            method,
            headers: { "content-type": "application/json", "x-forwarded-for": "10.78.0.1", ...cookie, ...headers },
            ...(body ? { body: JSON.stringify(body) } : {}),
          }),
        );
        const cookieSet = parsed(answer?.headers.getSetCookie()[0] ?? "");
        if (body) token = cookieSet.value;
        found.push({ from, ...cookieSet });
      }

      async function action(from: string, call: (input: unknown) => Promise<unknown>, input: unknown) {
        const { cookies } = await callAction(() => call(input));
        const set = cookies[SESSION_COOKIE];
        if (set) found.push({ from, name: SESSION_COOKIE, ...set.options } as SessionCookie);
      }

      const account = (name: string) => ({ username: `${mark}.${name}`, password: PASSWORD });
      const { registerAction, registerForm, signInAction, signInForm, signOutAction } = actions;
      const registered = account("first");
      await callAction(() => registerAction(registered));
      await route("POST /api/login", () => import("@/app/api/login/route"), registered);
      await route("POST /api/register", () => import("@/app/api/register/route"), account("second"));
      const authorization = `Bearer ${await issuer.token({ sub: `${mark}.uid`, email_verified: false })}`;
      await route("POST /api/firebase-auth", () => import("@/app/api/firebase-auth/route"), {}, { authorization });
      await route("POST /api/logout", () => import("@/app/api/logout/route"));
      token = (await callAction(() => signInAction(registered))).cookies[SESSION_COOKIE]?.value ?? "";
      const expires = new Date(Date.now() + 28 * 86_400_000);
      await prisma.session.updateMany({ where: { sessionToken: hashToken(token) }, data: { expires } });
      await route("slid", () => import("@/app/api/user/route"));
      await action("signInAction", signInAction, registered);
      await action("registerAction", registerAction, account("third"));
      await action("signInForm", wrapFormAction(signInForm), registered);
      await action("registerForm", wrapFormAction(registerForm), account("fourth"));
      await action("signOutAction", signOutAction, undefined);
      const { authOptions } = await import("@/lib/auth/options");
      const { cookies } = authOptions({ admit: async () => false, signedIn: async () => undefined });
      const { name, options } = cookies?.sessionToken ?? { name: "", options: {} };
      found.push({ from: "next-auth", name, ...options } as SessionCookie);
      await prisma.$disconnect();
    });
  } finally {
    process.env.APP_URL = before;
  }
  return found;
}

/** Parses a Set-Cookie header. */
function parsed(header: string): Omit<SessionCookie, "from"> & { value: string } {
  const [pair = "", ...attributes] = header.split("; ");
  const [name = "", value = ""] = pair.split("=");
  const has = Object.fromEntries(attributes.map((one) => one.toLowerCase().split("=")));
  const flags = { httpOnly: "httponly" in has, secure: "secure" in has };
  return { name, value, ...flags, sameSite: has.samesite, path: has.path, domain: has.domain };
}

/** A session cookie as set by a route, an action or next-auth. */
type SessionCookie = {
  from: string;
  name: string;
  httpOnly: boolean;
  secure: boolean;
  sameSite: string;
  path: string;
  domain: string | undefined;
};
