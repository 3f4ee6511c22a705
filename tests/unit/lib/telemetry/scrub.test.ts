import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace-base";
import { scrubbing } from "@/lib/telemetry/scrub";

/** What the next processor gets of a span. */
function passedOn(name: string, attributes: Record<string, unknown>): ReadableSpan {
  const next = { onEnd: jest.fn(), onStart: jest.fn(), forceFlush: jest.fn(), shutdown: jest.fn() };
  const status = { code: 2, message: "The title 'My secret plan' was refused." };
  const events = [
    { name: "exception", attributes: { "exception.message": "secret", "exception.stacktrace": "secret" } },
  ];
  const span = { name, attributes, events, status } as unknown as ReadableSpan;
  scrubbing(next as unknown as SpanProcessor).onEnd(span);
  expect(next.onEnd).toHaveBeenCalledTimes(1);
  return next.onEnd.mock.calls[0]?.[0] as ReadableSpan;
}

it("passes on plain facts alone, whatever a library sets", () => {
  const span = passedOn("GET", {
    "http.route": "/api/content",
    "http.status_code": 200,
    "http.target": "/api/content?search=secret",
    "url.query": "search=secret",
    "url.path": "/e/event-key",
    "http.request.header.cookie": "session=secret",
    "user_agent.original": "secret",
    "db.query.parameter.0": "secret",
    "something.new": "secret",
  });
  expect(span.attributes).toEqual({ "http.route": "/api/content", "http.status_code": 200 });
});

it("keeps of an address its origin, in attributes and in names", () => {
  const address = "https://blog.example:8443/wp-json/secret?search=secret#secret";
  const span = passedOn(`fetch POST ${address}`, { "http.url": address, "url.full": "not an address: secret" });
  expect(span.attributes).toEqual({ "http.url": "https://blog.example:8443", "url.full": "" });
  expect(span.name).toBe("fetch POST https://blog.example:8443");
  expect(passedOn("GET /missing?token=secret", {}).name).toBe("GET /missing");
});

it("drops the messages of failures and keeps that there was one", () => {
  const span = passedOn("POST", {});
  expect(span.status).toEqual({ code: 2 });
  expect(span.events).toEqual([{ name: "exception" }]);
});
