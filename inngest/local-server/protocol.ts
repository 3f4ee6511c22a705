import { z } from "zod";

/** Inngest's limits, so that too large a fan-out fails here as well. */
export const MAX_EVENTS_PER_REQUEST = 5000;
export const MAX_EVENT_BYTES = 512 * 1024;
export const MAX_REQUEST_BYTES = 10 * 1024 * 1024;

export const FAILED_EVENT = "inngest/function.failed";
export const CANCELLED_EVENT = "inngest/function.cancelled";
export const CANCELLED_ERROR = { error: "function cancelled", message: "function cancelled", name: "Error" };
export const TIMER_EVENT = "inngest/scheduled.timer";

/** An event as `inngest.send` posts it; other fields (user, v, meta) are passed on. */
const incomingEvent = z.looseObject({
  id: z.string().max(256).nullish(),
  name: z.string().min(1).max(256),
  data: z.record(z.string(), z.unknown()).nullish(),
  ts: z.number().int().nonnegative().nullish(),
});

export type IncomingEvent = z.infer<typeof incomingEvent>;
export type StoredEvent = {
  id: string;
  name: string;
  data: Record<string, unknown>;
  ts: number;
  [field: string]: unknown;
};

/** Parses one event or a list. Throws when one is invalid or too large. */
export function parseEvents(body: string): IncomingEvent[] {
  const list = z
    .union([z.array(z.unknown()), z.unknown().transform((event) => [event])])
    .parse(parseJson(body, "The request's body"));
  if (list.length > MAX_EVENTS_PER_REQUEST) {
    throw new Error(`${list.length} events in one request are too many: at most ${MAX_EVENTS_PER_REQUEST}.`);
  }
  return list.map((item, i) => {
    const event = incomingEvent.safeParse(item);
    if (!event.success) throw new Error(`Event ${i} is not valid: ${firstIssue(event.error)}.`);
    if (event.data.name.startsWith("inngest/")) throw new Error(`The event name ${event.data.name} is reserved.`);
    if (Buffer.byteLength(JSON.stringify(item)) > MAX_EVENT_BYTES) {
      throw new Error(`Event ${i} (${event.data.name}) is larger than ${MAX_EVENT_BYTES / 1024} KB.`);
    }
    return event.data;
  });
}

/** A registered function. Strict, so that what is not emulated is refused rather than ignored. */
export const functionConfig = z.strictObject({
  id: z.string().min(1),
  name: z.string().optional(),
  triggers: z.array(
    z.strictObject({
      event: z.string().min(1).optional(),
      expression: z.string().optional(),
      cron: z.string().optional(),
    }),
  ),
  steps: z.strictObject({
    step: z.object({
      runtime: z.object({ type: z.literal("http"), url: z.url() }),
      retries: z.object({ attempts: z.number().int().min(0).max(20).optional() }).optional(),
    }),
  }),
  concurrency: z
    .preprocess(
      (value) => [value].flat().map((rule) => (typeof rule === "number" ? { limit: rule } : rule)),
      z.array(z.strictObject({ limit: z.number().int().positive(), key: z.string().optional() })),
    )
    .default([]),
  cancel: z.array(z.strictObject({ event: z.string().min(1), if: z.string().optional() })).default([]),
});

export const registration = z.object({ functions: z.array(z.unknown()) });

const operation = z.looseObject({
  id: z.string().min(1),
  op: z.string(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  data: z.unknown().optional(),
  error: z.unknown().optional(),
  userland: z.looseObject({ id: z.string().nullish() }).nullish(),
  opts: z.looseObject({ parallelMode: z.unknown().optional() }).nullish(),
});

/** The operations in a 206 answer, one or several. */
export const operations = z.union([z.array(operation).min(1), operation.transform((one) => [one])]);

export type FunctionConfig = z.infer<typeof functionConfig>;
export type Operation = z.infer<typeof operation>;

export type StepState = { type: "data"; data: unknown } | { type: "error"; error: unknown };

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${what} is not JSON.`);
  }
}

/** The first issue with its path: "data: expected object". */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return "it does not fit";
  const place = issue.path.join(".");
  return place ? `${place}: ${issue.message}` : issue.message;
}
