"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { RevisionHistory } from "@/components/content/revision-history";
import { SearchFields } from "@/components/content/search-fields";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import { LocalTime } from "@/components/shared/local-time";
import { textLink } from "@/components/shared/text-link";
import type { ContentOut } from "@/lib/features/content/schema";
import { CONTENT_STATES } from "@/lib/features/content/states";
import { STANDING } from "@/lib/features/publishing/client/words";

export type Place = { projectTitle: string; topicName: string; language: string | null };

/** The details beside the text: the piece's project, topic and post on the site. */
export function EditorDetails({
  piece,
  editor,
  place,
}: {
  piece: ContentOut;
  editor: ContentEditorState;
  place: Place;
}) {
  return (
    <aside
      aria-label="Details"
      // In two columns each part has a border; in one column, all but the first.
      className="grid content-start gap-6 md:max-xl:grid-cols-2 md:max-xl:[&>*]:border-t md:max-xl:[&>*]:pt-5 xl:[&>*+*]:border-t xl:[&>*+*]:pt-5 max-md:[&>*+*]:border-t max-md:[&>*+*]:pt-5 focus-mode:hidden"
    >
      <dl className="grid content-start gap-3">
        <Fact name="Project">
          <Link href={`/projects/${piece.projectId}`} className={textLink}>
            {place.projectTitle || `Project ${piece.projectId}`}
          </Link>
        </Fact>
        <Fact name="Topic">{place.topicName || `Topic ${piece.topicId}`}</Fact>
        <Fact name="Created">
          <LocalTime at={piece.createdAt} style="date" />
        </Fact>
      </dl>
      <SiteFacts piece={piece} />
      <SearchFields piece={piece} editor={editor} />
      {/* On phones there is no room for it beside the tabs. */}
      <div className="md:hidden">
        <RevisionHistory pieceId={piece.id} className="w-full border" />
      </div>
    </aside>
  );
}

function SiteFacts({ piece }: { piece: ContentOut }) {
  return (
    <section aria-label="WordPress" className="content-start">
      <h2 className="mb-3 font-medium">WordPress</h2>
      <dl className="grid gap-3">
        {piece.wpPermalink ? null : (
          <Fact name="Status">
            {STANDING[piece.wpPostStatus ?? ""]?.label ?? CONTENT_STATES[piece.status].site.label}
            {piece.wpPostDate ? (
              <>
                {": "}
                <LocalTime at={piece.wpPostDate} style="short" />
              </>
            ) : null}
          </Fact>
        )}
        {piece.wpCategoryName ? <Fact name="Category">{piece.wpCategoryName}</Fact> : null}
        {piece.lastSyncedAt ? (
          <Fact name="Last synced">
            <LocalTime at={piece.lastSyncedAt} style="exact" />
          </Fact>
        ) : null}
        {piece.wpPermalink ? (
          <Fact name="Link">
            <a href={piece.wpPermalink} target="_blank" rel="noreferrer" className={textLink}>
              {piece.wpPermalink.replace(/^https?:\/\//, "")}
            </a>
          </Fact>
        ) : null}
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted-foreground text-sm">{name}</dt>
      <dd dir="auto" className="min-h-5 [overflow-wrap:anywhere]">
        {children}
      </dd>
    </div>
  );
}
