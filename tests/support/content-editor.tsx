import { ContentEditor } from "@/components/content/content-editor";
import type { ContentOut } from "@/lib/features/content/schema";
import { aPiece, PIECE_ID } from "@/tests/support/pieces";
import { failure, mockApi, renderScreen } from "@/tests/support/render";

export const PATH = `/api/content/${PIECE_ID}`;

/**
 * The editor over a server that keeps the piece and refuses an older version. A piece with an outline has no text written from it
 * yet, unless `parts` has one.
 */
export function openEditor(parts: Partial<ContentOut> = {}, table: Parameters<typeof mockApi>[0] = {}) {
  let stored = aPiece({ ...(parts.isOutline ? { body: "", hasBody: false } : {}), ...parts });
  const refusals: { status: number; json: object }[] = [];
  const calls = mockApi({
    [`GET ${PATH}`]: () => ({ json: stored }),
    [`PATCH ${PATH}`]: (body) => {
      const refused = refusals.shift();
      if (refused) return refused;
      const { version, ...changes } = body as Partial<ContentOut>;
      if (version !== undefined && version !== stored.version) {
        return { status: 409, json: { ...failure("Changed elsewhere", "VERSION_CONFLICT"), current: stored } };
      }
      stored = { ...stored, ...changes, version: stored.version + 1 };
      return { json: stored };
    },
    [`POST ${PATH}/publish`]: () => {
      stored = { ...stored, status: "wp_published", wpPostId: "12" };
      return { json: stored };
    },
    ...table,
  });
  const { user, client, unmount } = renderScreen(
    <ContentEditor
      id={PIECE_ID}
      place={{ projectTitle: "Spring planting guide", topicName: "Seed starting", language: null }}
    />,
  );
  return {
    user,
    client,
    unmount,
    writes: () => calls.filter(({ method }) => method !== "GET"),
    /** The next save is refused so. */
    refuseNext: (answer: { status: number; json: object }) => void refusals.push(answer),
    /** Somebody else saves. */
    changeElsewhere: (changes: Partial<ContentOut>) => {
      stored = { ...stored, ...changes, version: stored.version + 1 };
    },
  };
}
