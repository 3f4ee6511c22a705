import {
  ApiError,
  actionData,
  api,
  apiList,
  apiPage,
  clearApiState,
  detailOf,
  errorText,
  isAborted,
  isNotFound,
  isSessionEnd,
  onApiCall,
  onSessionEnd,
  publicActionData,
  referenceOf,
} from "@/lib/client/api";
import type { ErrorType } from "@/lib/errors";

const fetchMock = jest.fn<Promise<Response>, [string, RequestInit]>();

beforeEach(() => {
  fetchMock.mockReset();
  global.fetch = fetchMock as unknown as typeof fetch;
  clearApiState();
});

function respondWith(body: unknown, init: ResponseInit = {}): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  fetchMock.mockResolvedValueOnce(new Response(init.status === 204 || init.status === 304 ? null : text, init));
}

function sentHeaders(call = 0): Record<string, string> {
  return fetchMock.mock.calls[call]?.[1].headers as Record<string, string>;
}

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return error;
}

describe("a call", () => {
  it("sends the cookie, and the content type only with a body", async () => {
    respondWith([]);
    respondWith({ id: 1 }, { status: 201 });
    await api("GET", "/api/projects");
    await api("POST", "/api/projects", { title: "A" });
    expect(fetchMock.mock.calls[0]?.[1]).toMatchObject({ credentials: "same-origin" });
    expect(sentHeaders(0)).toEqual({});
    expect(fetchMock.mock.calls[0]?.[1].body).toBeUndefined();
    expect(sentHeaders(1)).toEqual({
      "content-type": "application/json",
      "Idempotency-Key": expect.stringMatching(/^"[0-9a-f]{32}"$/),
    });
    expect(fetchMock.mock.calls[1]?.[1].body).toBe('{"title":"A"}');
  });

  it("returns undefined for an empty response", async () => {
    respondWith("", { status: 204 });
    await expect(api("DELETE", "/api/projects/1")).resolves.toBeUndefined();
  });

  it("throws the status, a colon and the text, with type, fields and details", async () => {
    respondWith(
      { error: "Pick another.", type: "DUPLICATE", fields: { keyword: ["Taken."] }, requestId: "r", jobId: "j" },
      { status: 409 },
    );
    const error = await failureOf(api("POST", "/api/topics/1/keywords", {}));
    expect(error.message).toBe("409: Pick another.");
    expect(error).toMatchObject({
      status: 409,
      type: "DUPLICATE",
      text: "Pick another.",
      fields: { keyword: ["Taken."] },
    });
    expect(error.details).toMatchObject({ jobId: "j" });
  });

  it("uses the response's own text, else the status text, when the body is not ours", async () => {
    respondWith("<h1>Bad gateway</h1>", { status: 502 });
    respondWith("", { status: 503, statusText: "Service Unavailable" });
    expect((await failureOf(api("GET", "/api/projects"))).message).toBe("502: <h1>Bad gateway</h1>");
    expect((await failureOf(api("GET", "/api/projects"))).message).toBe("503: Service Unavailable");
  });

  it("supplies the status text that HTTP/2 omits", async () => {
    respondWith("", { status: 413 });
    expect((await failureOf(api("POST", "/api/projects", {}))).message).toBe("413: Content Too Large");
  });
});

describe("a write", () => {
  it("is reported to its listener with its outcome, until the listener unsubscribes", async () => {
    const ended = jest.fn();
    const listener = jest.fn(() => ended);
    const stop = onApiCall(listener);
    const call = { method: "PATCH", url: "/api/projects/1", body: { title: "B" } };
    respondWith({ id: 1 });
    await api("PATCH", "/api/projects/1", { title: "B" });
    expect(listener).toHaveBeenLastCalledWith(call);
    expect(ended).toHaveBeenLastCalledWith({ id: 1 });
    respondWith({ error: "No.", type: "NOT_FOUND" }, { status: 404 });
    const error = await failureOf(api("PATCH", "/api/projects/1", { title: "B" }));
    expect(ended).toHaveBeenLastCalledWith(undefined, error);
    respondWith([]);
    await api("GET", "/api/projects");
    expect(listener).toHaveBeenCalledTimes(2);
    const stopNext = onApiCall(() => ended);
    stop();
    respondWith({ id: 1 });
    await api("PATCH", "/api/projects/1", {});
    expect(ended).toHaveBeenCalledTimes(3);
    stopNext();
    respondWith({ id: 1 });
    await api("PATCH", "/api/projects/1", {});
    expect(ended).toHaveBeenCalledTimes(3);
  });
});

describe("a failure", () => {
  const failed = (status: number, type?: ErrorType, details: Record<string, unknown> = {}) =>
    new ApiError(status, "No.", true, type, {}, details);
  const requestId = "1a2b3c4d-0000";

  it("has a reference when the server failed", () => {
    expect(referenceOf(failed(500, undefined, { requestId }))).toBe("1a2b3c4d");
    expect(referenceOf(failed(499, undefined, { requestId }))).toBeUndefined();
    expect(referenceOf(failed(200, "INTERNAL", { requestId }))).toBe("1a2b3c4d");
    expect(referenceOf(failed(500, "INTERNAL", { requestId: 7 }))).toBeUndefined();
    expect(referenceOf(Object.assign(new Error("No."), { status: 500, details: { requestId } }))).toBeUndefined();
  });

  it("has a detail only when the server sent one with its sentence", () => {
    expect(detailOf(failed(502, "CONNECTION_ERROR", { detail: "Check it." }))).toBe("Check it.");
    expect(detailOf(failed(502, "CONNECTION_ERROR", { detail: "" }))).toBeUndefined();
    expect(detailOf(failed(502, "CONNECTION_ERROR", { detail: 7 }))).toBeUndefined();
    expect(detailOf(new ApiError(502, "<h1>", false, undefined, {}, { detail: "Check it." }))).toBeUndefined();
    expect(detailOf(new Error("No."))).toBeUndefined();
  });

  it("counts as aborted only by its name, and as not found only by its type", () => {
    expect(isAborted(Object.assign(new Error("stopped"), { name: "AbortError" }))).toBe(true);
    expect([new Error("No."), { name: "AbortError" }, undefined].map(isAborted)).toEqual([false, false, false]);
    expect(isNotFound(failed(404, "NOT_FOUND"))).toBe(true);
    expect([failed(404), { type: "NOT_FOUND" }, undefined].map(isNotFound)).toEqual([false, false, false]);
  });

  it("is ours only with a sentence and a type", async () => {
    for (const body of [{ error: "No." }, { type: "NOT_FOUND" }, { error: 7, type: "NOT_FOUND" }, null]) {
      respondWith(body, { status: 404 });
      const error = await failureOf(api("GET", "/api/projects"));
      expect([error.isOurs, error.text]).toEqual([false, JSON.stringify(body)]);
    }
    respondWith({ error: "No.", type: "NOT_FOUND" }, { status: 404 });
    expect((await failureOf(api("GET", "/api/projects"))).isOurs).toBe(true);
  });
});

describe("a page of a list", () => {
  it("has the address of the next page", async () => {
    respondWith([1, 2], { headers: { link: '</api/content?cursor=abc&limit=2>; rel="next"' } });
    respondWith([3]);
    await expect(apiPage("/api/content?limit=2")).resolves.toEqual({
      items: [1, 2],
      next: "/api/content?cursor=abc&limit=2",
    });
    await expect(apiPage("/api/content?cursor=abc&limit=2")).resolves.toEqual({ items: [3], next: null });
  });
});

it("a whole list is read page after page, with the same init", async () => {
  const { signal } = new AbortController();
  respondWith([1, 2], { headers: { link: '</api/projects?cursor=abc>; rel="next"' } });
  respondWith([3]);
  await expect(apiList("/api/projects", { signal })).resolves.toEqual([1, 2, 3]);
  const calls = fetchMock.mock.calls.map(([url, init]) => [url, init.signal === signal]);
  expect(calls).toEqual([
    ["/api/projects", true],
    ["/api/projects?cursor=abc", true],
  ]);
});

describe("the queue's status", () => {
  it("comes from the new response when it has changed or failed", async () => {
    respondWith({ jobs: [1] }, { headers: { etag: '"1-2"' } });
    await api("GET", "/api/queue/status");
    respondWith({ jobs: [2] });
    expect(await api("GET", "/api/queue/status")).toEqual({ jobs: [2] });
    respondWith({ error: "Broken.", type: "INTERNAL" }, { status: 500 });
    expect((await failureOf(api("GET", "/api/queue/status"))).text).toBe("Broken.");
  });

  it("is requested with its ETag, and taken from memory while unchanged", async () => {
    respondWith({ jobs: [1] }, { headers: { etag: '"1-2"' } });
    respondWith("", { status: 304 });
    const first = await api("GET", "/api/queue/status");
    const second = await api("GET", "/api/queue/status");
    expect(sentHeaders(0)).toEqual({});
    expect(sentHeaders(1)).toEqual({ "if-none-match": '"1-2"' });
    expect(second).toBe(first);
  });

  it("is forgotten when the session has ended", async () => {
    respondWith({ jobs: [1] }, { headers: { etag: '"1-2"' } });
    await api("GET", "/api/queue/status");
    respondWith({ error: "Please sign in to continue.", type: "UNAUTHENTICATED" }, { status: 401 });
    await failureOf(api("GET", "/api/projects"));
    respondWith({ jobs: [] });
    await api("GET", "/api/queue/status");
    expect(sentHeaders(2)).toEqual({});
  });
});

describe("a session that has ended", () => {
  it("is reported when a call is refused, but not by the lookup of the current user", async () => {
    const onEnd = jest.fn();
    onSessionEnd(onEnd);
    const refusal = { error: "Please sign in to continue.", type: "UNAUTHENTICATED", requestId: "r" };
    respondWith(refusal, { status: 401 });
    expect(isSessionEnd(await failureOf(api("GET", "/api/user")))).toBe(false);
    expect(onEnd).not.toHaveBeenCalled();
    respondWith(refusal, { status: 401 });
    expect(isSessionEnd(await failureOf(api("GET", "/api/projects")))).toBe(true);
    expect(onEnd).toHaveBeenCalledTimes(1);
    respondWith(refusal, { status: 401 });
    await failureOf(api("PATCH", "/api/user", { username: "maren" }));
    expect(onEnd).toHaveBeenCalledTimes(2);
    onSessionEnd(() => undefined);
  });

  it("is reported by a refused action of a signed-in user, but not by a failed sign-in", async () => {
    const onEnd = jest.fn();
    onSessionEnd(onEnd);
    const refuse = (type: "UNAUTHENTICATED" | "DUPLICATE", status: number) =>
      Promise.resolve({ ok: false as const, error: { error: "No.", type, status, requestId: "r" } });
    await failureOf(publicActionData(refuse("UNAUTHENTICATED", 401)));
    await failureOf(actionData(refuse("DUPLICATE", 409)));
    expect(onEnd).not.toHaveBeenCalled();
    await failureOf(actionData(refuse("UNAUTHENTICATED", 401)));
    expect(onEnd).toHaveBeenCalledTimes(1);
    onSessionEnd(() => undefined);
  });
});

describe("a server action", () => {
  it("returns its data, or throws like an API call", async () => {
    await expect(actionData(Promise.resolve({ ok: true as const, data: 7 }))).resolves.toBe(7);
    const error = {
      error: "Taken.",
      type: "DUPLICATE" as const,
      status: 409,
      fields: { username: ["Taken."] },
      requestId: "r",
    };
    expect(await failureOf(actionData(Promise.resolve({ ok: false as const, error })))).toMatchObject({
      message: "409: Taken.",
      type: "DUPLICATE",
      fields: { username: ["Taken."] },
    });
  });
});

describe("the text of a toast", () => {
  it("is the server's message, else the call's own fallback", () => {
    expect(errorText(new ApiError(400, "Say more.", true), "Failed to add")).toBe("Say more.");
    expect(errorText(new ApiError(502, "<html>", false), "Failed to add")).toBe("Failed to add");
    expect(errorText(new Error("boom"), "Failed to add")).toBe("Failed to add");
  });

  it("blames the network when nothing answered, and says offline only if the browser does", () => {
    browserIs({ onLine: true });
    const sentence = "The server did not answer. Wait a moment, then try again.";
    expect(errorText(new TypeError("fetch failed"), "Failed to add")).toBe(sentence);
    browserIs({ onLine: false });
    expect(errorText(new TypeError("fetch failed"), "Failed to add")).toBe(
      "You seem to be offline. Check your connection, then try again.",
    );
  });

  function browserIs(browser: Pick<Navigator, "onLine">) {
    Object.defineProperty(globalThis, "navigator", { configurable: true, value: browser });
  }
});
