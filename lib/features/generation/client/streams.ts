import { type QueryClient, useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, trackCall } from "@/lib/client/api";
import { apiEvents, type ServerEvent } from "@/lib/client/event-stream";
import { releaseIdempotencyKey } from "@/lib/client/idempotency-keys";
import { keys } from "@/lib/client/query-keys";
import { outcome, type Replayable, toast, toastError } from "@/lib/client/toast";
import { useQueryData } from "@/lib/client/use-query-data";
import { cacheContent, pieceSubject } from "@/lib/features/content/client";
import type { ContentOut } from "@/lib/features/content/schema";
import type { RewriteInput, RewriteOut, WriteInput } from "@/lib/features/generation/schema";
import { boundedCache, boundedSet, listenerSet } from "@/lib/utils/bounded";

const STREAMED = {
  outline: { path: "generate-outline", member: "outline", fallback: "Failed to generate outline" },
  body: { path: "generate-from-outline", member: "content", fallback: "Error generating content from outline" },
} as const;

type Kind = keyof typeof STREAMED;

/** The AI at work on a piece: which text, and what there is of it. */
export type Running = { kind: Kind; writing: Writing };

/** What the AI is writing for this piece, also when it was started before the page was left. */
export function useRunning(id: string): Running | undefined {
  return useQueryData<Running>(keys.writing(id));
}

/** Calls back with each text the AI finishes for this piece while the component is mounted. */
export function useOnWritten(id: string, onWritten: (kind: Kind, piece: ContentOut) => void): void {
  const latest = useRef(onWritten);
  useEffect(() => {
    latest.current = onWritten;
  });
  useEffect(() => {
    const listener: Listener = (of, kind, piece) => (of === id ? latest.current(kind, piece) : undefined);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [id]);
}

type Listener = (id: string, kind: Kind, piece: ContentOut) => void;
const listeners = listenerSet<Listener>("listeners to finished texts");

/** Over HTTP/1.1 a browser has six connections per host, and other calls need some. */
const MAX_STREAMS = 3;
const streams = boundedSet<AbortController>("streams", 100, "A browser opens six; the oldest ends from the fourth on.");

/**
 * Lets the AI write the outline or body of a piece, word by word. The stream survives leaving the screen. A fourth stream ends
 * the oldest, whose text the server still finishes.
 */
export async function writePiece(
  client: QueryClient,
  kind: Kind,
  id: string,
  { isContinuation = false, style }: { isContinuation?: boolean; style?: WriteInput["style"] } = {},
): Promise<void> {
  const { path, member, fallback } = STREAMED[kind];
  const url = `/api/content/${id}/${path}${isContinuation ? "?which=missing" : ""}`;
  const show = (writing: Writing) => client.setQueryData<Running>(keys.writing(id), { kind, writing });
  const abort = new AbortController();
  streams.add(abort);
  const [oldest] = streams;
  if (streams.size > MAX_STREAMS) oldest?.abort();
  const body = style ? { style } : undefined;
  let writing = NOTHING_YET;
  show(writing);
  try {
    const done = await trackCall({ method: "POST", url, body }, () =>
      readStream(url, abort.signal, body, (event) => {
        writing = withEvent(writing, event);
        show(writing);
      }),
    );
    const piece = done[member] as ContentOut;
    const continueWriting = {
      label: "Go on",
      onClick: () => void writePiece(client, kind, id, { isContinuation: true, style }),
    };
    const isStopped = stopped.delete(id) && kind === "body" && piece.hasBody;
    const isComplete = done.isComplete ?? true;
    const pressAgain = { label: "Go on", onClick: () => void writePiece(client, kind, id, { isContinuation, style }) };
    const said = isComplete
      ? outcome(done, { title: "Success", description: done.message })
      : { title: "Not finished yet", description: done.message, variant: "neutral" as const, action: pressAgain };
    toast({ ...said, subject: pieceSubject(id), ...(isStopped ? { action: continueWriting } : {}) });
    cacheContent(client, piece);
    for (const listener of listeners) listener(id, kind, piece);
  } catch (error) {
    // Whoever has pressed Stop means the next press.
    if (stopped.has(id)) releaseIdempotencyKey({ method: "POST", url, body });
    if (!abort.signal.aborted) toastError(error, { fallback, subject: pieceSubject(id) });
  } finally {
    client.removeQueries({ queryKey: keys.writing(id) });
    streams.delete(abort);
    stopped.delete(id);
  }
}

const NOTHING_TO_STOP = {
  title: "Nothing to stop",
  description:
    "The AI has just finished, or a queue is at work on this piece. A queue's job is cancelled in the Queue Monitor.",
  variant: "neutral" as const,
};

/** Pieces whose writing this page has stopped. */
const stopped = boundedCache<string, true>(
  "stopped pieces",
  1_000,
  "A piece that is forgotten has no button to go on.",
);

/** Stops the AI at a piece, wherever it was started; what it has written is kept. */
export function useStopWriting(id: string) {
  return useMutation({
    mutationFn: () => {
      stopped.set(id, true);
      return api<{ isStopping: boolean }>("POST", `/api/content/${id}/stop-writing`);
    },
    onSuccess: ({ isStopping }) => {
      if (!isStopping) toast({ ...NOTHING_TO_STOP, subject: pieceSubject(id) });
    },
    onError: (error) => {
      stopped.delete(id);
      toastError(error, { fallback: "The AI could not be stopped", subject: pieceSubject(id) });
    },
  });
}

/**
 * Asks for a new text of a part. `onProgress` gets what there is of it so far. Nothing is saved; aborting ends the work of the AI
 * too.
 */
export async function requestRewrite(
  id: string,
  input: RewriteInput,
  signal: AbortSignal,
  onProgress: (progress: { text: string; isThinking: boolean }) => void,
): Promise<RewriteOut> {
  const url = `/api/content/${id}/rewrite`;
  return trackCall({ method: "POST", url, body: input }, async () => {
    let text = "";
    for await (const { event, data } of apiEvents(url, signal, input)) {
      if (event === "done") return data as RewriteOut;
      // A second attempt starts over.
      if (event === "section") text = "";
      if (event === "delta") text += (data as { text: string }).text;
      onProgress({ text, isThinking: event === "thinking" });
    }
    throw new Error("The connection ended before the text was finished.");
  });
}

type Done = { message: string; isComplete?: boolean; outline?: ContentOut; content?: ContentOut } & Replayable;

async function readStream(
  url: string,
  signal: AbortSignal,
  body: unknown,
  onEvent: (event: ServerEvent) => void,
): Promise<Done> {
  for await (const event of apiEvents(url, signal, body)) {
    if (event.event === "done") return event.data as Done;
    onEvent(event);
  }
  throw new Error("The connection ended before the text was finished.");
}

/** What has been written so far: section `index` of `count` is being written, the last of `sections`. */
export type Writing = {
  index: number;
  count: number;
  heading: string;
  sections: { heading: string; text: string }[];
  /** The model thinks; no text comes yet. */
  isThinking: boolean;
};

const NOTHING_YET: Writing = { index: 0, count: 0, heading: "", sections: [], isThinking: false };

/** The writing after one more event. A section that restarts replaces its first attempt. */
export function withEvent(writing: Writing, { event, data }: ServerEvent): Writing {
  if (event === "section") {
    const { restart, ...begun } = data as { index: number; count: number; heading: string; restart: boolean };
    const kept = restart ? writing.sections.slice(0, -1) : writing.sections;
    return { ...begun, sections: [...kept, { heading: begun.heading, text: "" }], isThinking: false };
  }
  if (event === "thinking") return { ...writing, isThinking: true };
  const last = writing.sections.at(-1);
  if (event !== "delta" || !last) return writing;
  const { text } = data as { text: string };
  const sections = [...writing.sections.slice(0, -1), { ...last, text: last.text + text }];
  return { ...writing, sections, isThinking: false };
}
