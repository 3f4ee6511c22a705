import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

type Attribute = { key: string; value: Record<string, unknown> };
export type CollectedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Record<string, unknown>;
};

export type Collector = {
  url: string;
  spans(): CollectedSpan[];
  /** The names of all metrics so far, and the attributes of their points. */
  metrics(): { name: string; attributes: Record<string, unknown> }[];
  /** Everything that arrived, as text. */
  everything(): string;
  close(): Promise<void>;
};

type Received = {
  resourceSpans?: { scopeSpans: { spans: (Omit<CollectedSpan, "attributes"> & { attributes: Attribute[] })[] }[] }[];
  resourceMetrics?: { scopeMetrics: { metrics: Record<string, unknown>[] }[] }[];
};

/** Takes OTLP over HTTP in its JSON encoding (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
export async function startCollector(): Promise<Collector> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push((await json(request)) as Received);
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () =>
      received.flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, attributes: plain(span.attributes) }))),
        ),
      ),
    metrics: () =>
      received.flatMap(({ resourceMetrics = [] }) =>
        resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics.flatMap(points))),
      ),
    everything: () => JSON.stringify(received),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A metric's points are below its kind: gauge, sum or histogram. */
function points({ name, ...kinds }: Record<string, unknown>) {
  return Object.values(kinds).flatMap((kind) => {
    const { dataPoints = [] } = (kind ?? {}) as { dataPoints?: { attributes: Attribute[] }[] };
    return dataPoints.map((point) => ({ name: String(name), attributes: plain(point.attributes) }));
  });
}

function plain(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
