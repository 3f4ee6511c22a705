import type { Account } from "@/scripts/samples/start";

/** Calls the API of the running app as one user. */
export type Caller = {
  get<Answer>(path: string): Promise<Answer>;
  patch<Answer>(path: string, body: object): Promise<Answer>;
  /** With a key, a repeated call is answered without doing its work twice. */
  post<Answer>(path: string, body: object, key?: string): Promise<Answer>;
  signOut(): Promise<void>;
};

export class CallFailed extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** `url` has no slash at its end. */
export async function signIn(url: string, account: Account): Promise<Caller> {
  const login = await send("POST", "/api/login", account);
  const cookie = login.headers.getSetCookie().map((each) => each.split(";")[0]);
  const call = async (method: string, path: string, body?: object, key?: string) => {
    const headers = { cookie: cookie.join("; "), ...(key ? { "idempotency-key": key } : {}) };
    const answer = await send(method, path, body, headers);
    return answer.status === 204 ? undefined : answer.json();
  };
  return {
    get: (path) => call("GET", path),
    patch: (path, body) => call("PATCH", path, body),
    post: (path, body, key) => call("POST", path, body, key),
    signOut: () => call("POST", "/api/logout", {}),
  };

  async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (answer.ok) return answer;
    const { error } = (await answer.json()) as { error: string };
    throw new CallFailed(answer.status, error);
  }
}
