import { DraftSaver } from "@/components/content/draft-saver";
import type { SaverOptions } from "@/components/content/saver-state";
import { ApiError } from "@/lib/client/api";
import type { ContentOut, UpdateContentInput } from "@/lib/features/content/schema";
import { aPiece } from "@/tests/support/pieces";

export const BODY = "One.\n\nTwo.";
export const OFFLINE = new TypeError("Failed to fetch");
export const refused = (status: number, type: string, extra: Partial<{ fields: object; current: ContentOut }> = {}) =>
  new ApiError(status, "No.", true, type as never, (extra.fields ?? {}) as never, extra as never);

/** A saver over a server that keeps the piece; `answer` may refuse a call. */
export function openSaver(parts: Partial<ContentOut> = {}) {
  let stored = aPiece({ body: BODY, version: 4, ...parts });
  const sent: { input: UpdateContentInput; at: number; isLast: boolean }[] = [];
  const copies: unknown[] = [];
  let kept: unknown;
  const failures: unknown[] = [];
  /** What the server has kept as revisions when it refused it. */
  const asides: unknown[] = [];
  const server = {
    answer: (_input: UpdateContentInput): Promise<void> | undefined => undefined,
    change(changes: Partial<ContentOut>) {
      stored = { ...stored, ...changes, version: stored.version + 1 };
      return stored;
    },
    get stored() {
      return stored;
    },
  };
  const options: SaverOptions = {
    async send(input, { isLast }) {
      sent.push({ input, at: Date.now(), isLast });
      await server.answer(input);
      const { version, ...changes } = input;
      if (version !== stored.version) {
        asides.push(changes);
        throw refused(409, "VERSION_CONFLICT", { current: stored });
      }
      return server.change(changes as Partial<ContentOut>);
    },
    keep: async (draft) => {
      kept = draft;
      copies.push(draft?.edits ?? null);
      return true;
    },
    onFailure: (error) => failures.push(error),
  };
  const saver = new DraftSaver(stored, options);
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  return { saver, sent, copies, failures, asides, server, pass, kept: () => kept };
}
