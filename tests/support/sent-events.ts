import { sendEvents } from "@/lib/events/send";

type Event = { name: string; id?: string; data: Record<string, unknown> };

/** Records every event; cleared before each test. The suite mocks lib/events/send. */
export function recordEvents() {
  const batches: Event[][] = [];
  beforeEach(() => {
    batches.length = 0;
    jest.mocked(sendEvents).mockImplementation(async (events) => {
      batches.push([events].flat() as unknown as Event[]);
      return { endedAbsence: false };
    });
  });
  return {
    /** The events of each request. */
    batches,
    /** All events: name, and the item or job concerned. */
    sent: () => batches.flat().map(({ name, data }) => `${name} ${String(data.dispatch ?? data.jobId)}`),
    /** Makes the engine unreachable from now on. */
    away: () => jest.mocked(sendEvents).mockRejectedValue(new Error("connection refused")),
  };
}
