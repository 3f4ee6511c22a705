/** @jest-environment jsdom */
import { ReadableStream, type ReadableStreamDefaultController } from "node:stream/web";
import { setImmediate } from "node:timers/promises";
import { TextEncoder } from "node:util";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { pieceSubject } from "@/lib/features/content/client";
import {
  useAutoAddKeywords,
  useGenerateOutline,
  useQueueTopic,
  useSuggestKeywords,
} from "@/lib/features/generation/client/mutations";
import { type Running, useOnWritten, useRunning, writePiece } from "@/lib/features/generation/client/streams";
import { aKeyword, aPiece, PIECE_ID } from "@/tests/support/pieces";
import { mockApi } from "@/tests/support/render";

jest.mock("@/lib/client/toast", () => ({
  ...jest.requireActual("@/lib/client/toast"),
  toast: jest.fn(),
  toastError: jest.fn(),
}));

beforeEach(() => jest.clearAllMocks());

let client: QueryClient;
beforeEach(() => {
  client = createQueryClient();
});
afterEach(() => client.clear());

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
);

/** Calls a mutation's hook once, as its screen would. */
async function mutate<Input>(useIt: () => { mutateAsync: (input: Input) => Promise<unknown> }, input: Input) {
  const { result } = renderHook(useIt, { wrapper });
  await act(() => result.current.mutateAsync(input).catch(() => undefined));
}

const topic = { id: 7, projectId: 3 };
const subject = pieceSubject(PIECE_ID);

describe("the outcome of a call", () => {
  const suggestions = (saved: boolean) => ({
    saved,
    savedKeywords: saved ? [aKeyword(1, "soil")] : [],
    keywords: ["soil"],
  });

  it("is shown for keywords that were saved, and for some that could not be", async () => {
    const path = "POST /api/topics/7/suggest-keywords?autoSave=true";
    mockApi({ [path]: () => ({ json: suggestions(true) }) });
    await mutate(() => useAutoAddKeywords(topic), undefined);
    expect(toast).toHaveBeenLastCalledWith(
      expect.objectContaining({ title: "Success", description: "1 keywords added automatically" }),
    );
    mockApi({ [path]: () => ({ json: suggestions(false) }) });
    await mutate(() => useAutoAddKeywords(topic), undefined);
    expect(toast).toHaveBeenLastCalledWith(expect.objectContaining({ title: "Not saved", variant: "destructive" }));
  });

  it("is shown with the keywords that are close to another", async () => {
    const message = "Close to another keyword: “soil for pots”.";
    const json = { ...suggestions(true), message };
    const path = "POST /api/topics/7/suggest-keywords";
    mockApi({ [path]: () => ({ json }), [`${path}?autoSave=true`]: () => ({ json }) });
    await mutate(() => useAutoAddKeywords(topic), undefined);
    await mutate(() => useSuggestKeywords(topic.id), undefined);
    expect(jest.mocked(toast).mock.calls.map(([{ description }]) => description)).toEqual([
      `1 keywords added automatically. ${message}`,
      `AI generated keyword suggestions. ${message}`,
    ]);
  });

  it("is shown for an outline, which is stored for the piece's own screen", async () => {
    const outline = aPiece({ outline: "## Water", version: 5 });
    client.setQueryData(keys.content(PIECE_ID), aPiece());
    const json = { message: "Outline generated", outline };
    mockApi({ [`POST /api/content/${PIECE_ID}/generate-outline`]: () => ({ json }) });
    await mutate(useGenerateOutline, { id: PIECE_ID });
    expect(toast).toHaveBeenCalledWith({ title: "Success", description: "Outline generated", subject });
    expect(client.getQueryData(keys.content(PIECE_ID))).toEqual(outline);
  });

  it("is shown for a topic's queue, for five seconds, with a link to the monitor in a new window", async () => {
    const json = { message: "3 outlines queued.", jobId: "0123456789" };
    mockApi({ "POST /api/topics/7/generate-outline-queue": () => ({ status: 202, json }) });
    await mutate(() => useQueueTopic("outlines", topic), undefined);
    expect(toast).toHaveBeenCalledWith({
      title: "Outline Generation Queued",
      description: "3 outlines queued. Job 01234567",
      durationMs: 5_000,
      action: { label: "Monitor Progress", href: "/queue-monitor", newWindow: true },
      subject: "outlines:7",
    });
  });
});

/** Streams that answer the next calls, with their abort signals. */
function answerWithStreams() {
  const streams: {
    send: (event: string, data: unknown) => Promise<void>;
    end: () => Promise<void>;
    signal: AbortSignal;
  }[] = [];
  global.fetch = jest.fn(async (_url: string, { signal }: RequestInit) => {
    let controller: ReadableStreamDefaultController | undefined;
    const body = new ReadableStream({
      start: (its) => {
        controller = its;
      },
    });
    if (!signal) throw new Error("no signal");
    signal.addEventListener("abort", () => controller?.error(signal.reason));
    // By the next turn of the event loop, the writer has read and shown it.
    const read = () => setImmediate();
    streams.push({
      signal,
      send: async (event, data) => {
        controller?.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
        await read();
      },
      end: async () => {
        controller?.close();
        await read();
      },
    });
    return { ok: true, status: 200, body };
  }) as unknown as typeof fetch;
  return streams;
}

const running = (id = PIECE_ID) => client.getQueryData<Running>(keys.writing(id));
const done = {
  message: "It is written.",
  content: aPiece({ body: "From below." }),
  outline: aPiece({ outline: "## Water" }),
};
const section = { index: 1, count: 2, heading: "Water", restart: false };

describe("a streamed text", () => {
  it("is shown from start to end, and stored", async () => {
    const streams = answerWithStreams();
    client.setQueryData(keys.content(PIECE_ID), aPiece());
    const writing = writePiece(client, "body", PIECE_ID);
    expect(running()).toEqual({
      kind: "body",
      writing: { index: 0, count: 0, heading: "", sections: [], isThinking: false },
    });
    await act(async () => undefined);
    await streams[0]?.send("section", section);
    await streams[0]?.send("delta", { text: "From " });
    expect(running()?.writing).toEqual({
      index: 1,
      count: 2,
      heading: "Water",
      sections: [{ heading: "Water", text: "From " }],
      isThinking: false,
    });
    await streams[0]?.send("done", done);
    await writing;
    expect(running()).toBeUndefined();
    expect(toast).toHaveBeenCalledWith({ title: "Success", description: "It is written.", subject });
    expect(client.getQueryData(keys.content(PIECE_ID))).toEqual(done.content);
    expect(toastError).not.toHaveBeenCalled();
  });

  it("offers to go on in the same way when its time was up, and never calls that a success", async () => {
    const streams = answerWithStreams();
    const message = "1 of 2 sections are written and kept. Press again to go on.";
    const style = { tone: "warm" };
    const writing = writePiece(client, "body", PIECE_ID, { isContinuation: true, style });
    await act(async () => undefined);
    const alreadyDoneAt = new Date().toISOString();
    await streams[0]?.send("done", { ...done, message, isComplete: false, alreadyDoneAt });
    await writing;
    expect(toast).toHaveBeenCalledWith({
      title: "Not finished yet",
      description: message,
      variant: "neutral",
      action: { label: "Go on", onClick: expect.any(Function) },
      subject,
    });
    const [[{ action } = {} as never] = []] = jest.mocked(toast).mock.calls;
    await act(async () => (action && "onClick" in action ? action.onClick?.() : undefined));
    const [again, { body = "" } = {}] = jest.mocked(fetch).mock.lastCall ?? [];
    expect([again, JSON.parse(String(body))]).toEqual([
      `/api/content/${PIECE_ID}/generate-from-outline?which=missing`,
      { style },
    ]);
    await streams[1]?.send("done", done);
    expect(toast).toHaveBeenLastCalledWith(expect.objectContaining({ title: "Success" }));
  });

  it("fails when the connection ends before it does", async () => {
    const streams = answerWithStreams();
    const writing = writePiece(client, "outline", PIECE_ID);
    await act(async () => undefined);
    await streams[0]?.send("delta", { text: "From " });
    await streams[0]?.end();
    await writing;
    const fallback = "Failed to generate outline";
    const error = new Error("The connection ended before the text was finished.");
    expect(jest.mocked(toastError).mock.calls).toEqual([[error, { fallback, subject }]]);
    expect([running(), jest.mocked(toast).mock.calls]).toEqual([undefined, []]);
  });

  it("is cached while it is written, whether or not a screen shows it", async () => {
    const streams = answerWithStreams();
    const writing = writePiece(client, "body", PIECE_ID);
    expect(client.getQueryCache().find({ queryKey: keys.writing(PIECE_ID) })?.options.gcTime).toBe(
      Number.POSITIVE_INFINITY,
    );
    await act(async () => undefined);
    await streams[0]?.send("done", done);
    await writing;
  });

  it("has three connections at most: a fourth silently ends the oldest", async () => {
    const streams = answerWithStreams();
    const aborted = () => streams.map(({ signal }) => signal.aborted);
    const writings = ["a", "b", "c"].map((id) => writePiece(client, "body", id));
    await act(async () => undefined);
    await streams[0]?.send("done", done);
    await writings[0];
    // One has ended by itself: there is room for another.
    writings.push(writePiece(client, "body", "d"));
    await act(async () => undefined);
    expect(aborted()).toEqual([false, false, false, false]);
    writings.push(writePiece(client, "body", "e"));
    await act(async () => undefined);
    expect(aborted()).toEqual([false, true, false, false, false]);
    await writings[1];
    expect(["b", "c"].map((id) => running(id)?.kind)).toEqual([undefined, "body"]);
    for (const stream of streams.slice(2)) await stream.send("done", done);
    await Promise.all(writings);
    expect(toastError).not.toHaveBeenCalled();
  });

  it("reports its progress and its end to the screens of its piece", async () => {
    const streams = answerWithStreams();
    const [first, latest, other] = [jest.fn(), jest.fn(), jest.fn()];
    const mine = renderHook(
      ({ onWritten }) => {
        useOnWritten(PIECE_ID, onWritten);
        return useRunning(PIECE_ID);
      },
      { wrapper, initialProps: { onWritten: first } },
    );
    renderHook(() => useOnWritten("another", other), { wrapper });
    mine.rerender({ onWritten: latest });
    let writing: Promise<void> | undefined;
    await act(async () => {
      writing = writePiece(client, "outline", PIECE_ID);
    });
    // The cache notifies its listeners a little later.
    await waitFor(() => expect(mine.result.current?.kind).toBe("outline"));
    await act(() => streams[0]?.send("done", done) ?? Promise.resolve());
    await writing;
    await waitFor(() => expect(mine.result.current).toBeUndefined());
    expect(latest.mock.calls).toEqual([["outline", done.outline]]);
    expect([first.mock.calls, other.mock.calls]).toEqual([[], []]);
  });
});
