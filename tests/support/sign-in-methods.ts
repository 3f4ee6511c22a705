import { createCaller } from "@/tests/support/app";
import type { TokenIssuer } from "@/tests/support/id-tokens";

type Attempt = {
  username: string;
  password: string;
  /** The browser's cookie before. */
  cookie: string | undefined;
  address: string;
  /** For ways without a password: the proof is invalid. */
  forged?: boolean;
};

/** `cookie` is the one the browser was given: `session=…`. */
export type SignInResult = { ok: boolean; cookie: string | undefined };

let names = 0;
const freeName = () => `way.in.${process.pid}.${Date.now() % 1e6}.${++names}`;

/** Every way to get a session, by route or action; registering signs in too. For suites that mock next/headers. */
export async function signInMethods(
  issuer: TokenIssuer,
): Promise<Record<string, (attempt: Attempt) => Promise<SignInResult>>> {
  const actions = await import("@/lib/features/account/sign-in/actions");
  const { wrapFormAction, callAction } = await import("@/tests/support/action-request");

  async function byRoute(
    path: string,
    body: object,
    { cookie, address }: Attempt,
    headers = {},
  ): Promise<SignInResult> {
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
    signInForm: (attempt) => byAction(wrapFormAction(actions.signInForm), login(attempt), attempt),
    registerForm: (attempt) => byAction(wrapFormAction(actions.registerForm), account(attempt), attempt),
  };
}
