import { createCaller } from "@/tests/support/app";
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
