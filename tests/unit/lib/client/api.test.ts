import {
  ApiError,
  actionData,
  api,
  apiPage,
  errorText,
  forgetAnswers,
  publicActionData,
  whenSignedOut,
} from "@/lib/client/api";

const fetchMock = jest.fn<Promise<Response>, [string, RequestInit]>();

beforeEach(() => {
  fetchMock.mockReset();
  global.fetch = fetchMock as unknown as typeof fetch;
  forgetAnswers();
});

function answers(body: unknown, init: ResponseInit = {}): void {
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
    answers([]);
    answers({ id: 1 }, { status: 201 });
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

  it("answers undefined where there is no content", async () => {
    answers("", { status: 204 });
    await expect(api("DELETE", "/api/projects/1")).resolves.toBeUndefined();
  });

  it("throws status, colon, text; and keeps type, fields and the rest of our answer", async () => {
    answers(
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

  it("takes the response's own text, else the status text, when the body is not ours", async () => {
    answers("<h1>Bad gateway</h1>", { status: 502 });
    answers("", { status: 503, statusText: "Service Unavailable" });
    expect((await failureOf(api("GET", "/api/projects"))).message).toBe("502: <h1>Bad gateway</h1>");
    expect((await failureOf(api("GET", "/api/projects"))).message).toBe("503: Service Unavailable");
  });

  it("knows the status text where HTTP/2 sends none", async () => {
    answers("", { status: 413 });
    expect((await failureOf(api("POST", "/api/projects", {}))).message).toBe("413: Content Too Large");
  });
});

describe("a page of a list", () => {
  it("hands on where the next one begins", async () => {
    answers([1, 2], { headers: { link: '</api/content?cursor=abc&limit=2>; rel="next"' } });
    answers([3]);
    await expect(apiPage("/api/content?limit=2")).resolves.toEqual({
      items: [1, 2],
      next: "/api/content?cursor=abc&limit=2",
    });
    await expect(apiPage("/api/content?cursor=abc&limit=2")).resolves.toEqual({ items: [3], next: null });
  });
});

describe("the queue's status", () => {
  it("is asked for with its ETag, and an unchanged one comes from memory", async () => {
    answers({ jobs: [1] }, { headers: { etag: '"1-2"' } });
    answers("", { status: 304 });
    const first = await api("GET", "/api/queue/status");
    const second = await api("GET", "/api/queue/status");
    expect(sentHeaders(0)).toEqual({});
    expect(sentHeaders(1)).toEqual({ "if-none-match": '"1-2"' });
    expect(second).toBe(first);
  });

  it("is forgotten when the session has ended", async () => {
    answers({ jobs: [1] }, { headers: { etag: '"1-2"' } });
    await api("GET", "/api/queue/status");
    forgetAnswers();
    answers({ jobs: [] });
    await api("GET", "/api/queue/status");
    expect(sentHeaders(1)).toEqual({});
  });
});

describe("a session that has ended", () => {
  it("is told once a call is refused, but not by the look-up of the current user", async () => {
    const told = jest.fn();
    whenSignedOut(told);
    const refusal = { error: "Please sign in to continue.", type: "UNAUTHENTICATED", requestId: "r" };
    answers(refusal, { status: 401 });
    await failureOf(api("GET", "/api/user"));
    expect(told).not.toHaveBeenCalled();
    answers(refusal, { status: 401 });
    await failureOf(api("GET", "/api/projects"));
    expect(told).toHaveBeenCalledTimes(1);
    answers(refusal, { status: 401 });
    await failureOf(api("PATCH", "/api/user", { username: "maren" }));
    expect(told).toHaveBeenCalledTimes(2);
    whenSignedOut(() => undefined);
  });

  it("is told by a refused action of a signed-in person, but not by a sign-in that failed", async () => {
    const told = jest.fn();
    whenSignedOut(told);
    const refuse = (type: "UNAUTHENTICATED" | "DUPLICATE", status: number) =>
      Promise.resolve({ ok: false as const, error: { error: "No.", type, status, requestId: "r" } });
    await failureOf(publicActionData(refuse("UNAUTHENTICATED", 401)));
    await failureOf(actionData(refuse("DUPLICATE", 409)));
    expect(told).not.toHaveBeenCalled();
    await failureOf(actionData(refuse("UNAUTHENTICATED", 401)));
    expect(told).toHaveBeenCalledTimes(1);
    whenSignedOut(() => undefined);
  });
});

describe("a server action", () => {
  it("gives its data, or throws as a call would", async () => {
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

describe("the sentence for a person", () => {
  it("is ours when the answer was ours, else the call's own fallback", () => {
    expect(errorText(new ApiError(400, "Say more.", true), "Failed to add")).toBe("Say more.");
    expect(errorText(new ApiError(502, "<html>", false), "Failed to add")).toBe("Failed to add");
    expect(errorText(new Error("boom"), "Failed to add")).toBe("Failed to add");
  });

  it("is of the network when nothing answered: offline only where the browser says so", () => {
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
