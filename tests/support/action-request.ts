/**
 * Replaces next/headers for server actions: `jest.mock("next/headers", () =>
 * jest.requireActual("@/tests/support/action-request").nextHeaders)`.
 */
type SetCookie = { value: string; options: Record<string, unknown> };

type Request = { cookie: string | undefined; headers: Record<string, string>; set: Record<string, SetCookie> };

// Global, because a suite that isolates modules has several copies of this file.
const box = globalThis as { actionRequest?: Request };
box.actionRequest ??= { cookie: undefined, headers: {}, set: {} };
const request = () => box.actionRequest as Request;

export const nextHeaders = {
  cookies: async () => ({
    get: (name: string) => {
      const [key, value] = (request().cookie ?? "").split("=");
      return key === name ? { name, value } : undefined;
    },
    getAll: () => Object.entries(jarOf(request())).map(([name, value]) => ({ name, value })),
    set: (cookie: string | ({ name: string } & SetCookie), value = "", options: Record<string, unknown> = {}) => {
      if (typeof cookie === "string") request().set[cookie] = { value, options };
      else request().set[cookie.name] = { value: cookie.value, options: cookie };
    },
  }),
  headers: async () => {
    const { cookie, headers } = request();
    return new Headers({ "x-forwarded-for": "10.77.0.1", ...(cookie ? { cookie } : {}), ...headers });
  },
};

/** The request's cookies, updated with those set since. */
function jarOf({ cookie = "", set }: Request): Record<string, string> {
  const [name = "", value = ""] = cookie.split("=");
  const own = Object.entries(set).map(([key, one]) => [key, one.value]);
  return { ...(cookie ? { [name]: value } : {}), ...Object.fromEntries(own) };
}

/** Calls an action as a browser with this cookie and address; returns its result and the cookies it set. */
export async function callAction<T>(
  call: () => Promise<T>,
  { cookie, address }: { cookie?: string | undefined; address?: string } = {},
): Promise<{ answer: T; cookies: Record<string, SetCookie> }> {
  const own: Request = { cookie, headers: address ? { "x-forwarded-for": address } : {}, set: {} };
  box.actionRequest = own;
  const answer = await call();
  return { answer, cookies: own.set };
}

/** Wraps a form's action so that it is called like any other: with plain input, a redirect being a success. */
export function wrapFormAction<S extends { failure: unknown; done: boolean }>(
  post: (previous: never, form: FormData) => Promise<S>,
) {
  return async (input: unknown) => {
    try {
      const { failure, done } = await post(
        undefined as never,
        isPlain(input) ? toFormData(input) : (input as FormData),
      );
      return done ? { ok: true, data: null } : { ok: false, error: failure };
    } catch (thrown) {
      return { ok: true, data: redirectTarget(thrown) };
    }
  };
}

/** The same for a form that always redirects. */
export function wrapRedirectingForm(go: (form: FormData) => Promise<never>) {
  return (input: unknown) =>
    go(isPlain(input) ? toFormData(input) : (input as FormData)).catch((thrown: unknown) => ({
      ok: true,
      data: redirectTarget(thrown),
    }));
}

/** The target of a next/navigation redirect; rethrows anything else. */
export function redirectTarget(thrown: unknown): string {
  const [kind, , path = ""] = String((thrown as { digest?: unknown }).digest).split(";");
  if (kind !== "NEXT_REDIRECT") throw thrown;
  return path;
}

export function toFormData(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) if (typeof one === "string" || one instanceof Blob) form.append(name, one);
  }
  return form;
}

function isPlain(input: unknown): input is object {
  return typeof input === "object" && input !== null && Object.getPrototypeOf(input) === Object.prototype;
}
