"use client";

import { CloudOff, CloudUpload, EyeOff, Globe, RefreshCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { NO_TEXT, willNotAppear } from "@/components/content/content-facts";
import { NewerHereBadge } from "@/components/content/newer-here-badge";
import { OUTLINE_FIRST } from "@/components/content/outline-actions";
import { PieceLinks } from "@/components/content/piece-links";
import type { Readiness } from "@/components/content/readiness";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import type { PieceWriter } from "@/components/content/use-piece-writer";
import { useSiteChange } from "@/components/content/use-site-change";
import { usePostUpdate } from "@/components/publishing/use-post-update";
import { FactBadge } from "@/components/shared/fact-badge";
import { LocalTime } from "@/components/shared/local-time";
import { type PageAction, PageActions } from "@/components/shared/page-actions";
import { StatusBadge } from "@/components/shared/status-badge";
import { Button } from "@/components/ui/button";
import { PieceWorkBadge } from "@/components/work/piece-work";
import type { ContentOut } from "@/lib/features/content/schema";
import type { Place } from "@/lib/features/content/seo/material";
import { CONTENT_STATES, isLive } from "@/lib/features/content/states";
import { usePublishContent, useSyncContent } from "@/lib/features/publishing/client";
import { BODY_FIRST } from "@/lib/features/publishing/rules";
import { cn } from "@/lib/utils/cn";
import { isBlank } from "@/lib/utils/text";

/** The piece's status, and the actions for the whole piece. */
export function EditorHeader({
  piece,
  editor,
  writer,
  losses,
  onShowLosses,
  readiness,
  onGoTo,
  isOutlineShown,
}: {
  piece: ContentOut;
  editor: ContentEditorState;
  writer: PieceWriter;
  /** How much of the text its readers will not get. */
  losses: number;
  onShowLosses: () => void;
  readiness: Readiness;
  onGoTo: (place: Place) => void;
  /** True if the Outline tab is open. */
  isOutlineShown: boolean;
}) {
  const hasNoText = !piece.isTitleOnly && isBlank(editor.fields.body);
  // Below xl, where badges wrap, the text stays where it is when its first word is typed.
  const [keepsPlace] = useState(hasNoText);
  const sync = useSyncAction(piece);
  const ready = { readiness, onGoTo };
  const site = useSiteAction(piece, editor, ready);
  const update = useUpdateAction(piece, editor, ready);
  const save: PageAction = {
    label: "Save Changes",
    // It is quiet while all is saved, which happens by itself.
    variant: isOutlineShown || !editor.isDirty ? "outline" : "default",
    pending: editor.isSaving,
    onSelect: editor.saveChanges,
    isMain: true,
  };
  const noOutline = isBlank(editor.fields.outline) && OUTLINE_FIRST;
  // The main action in the Outline tab; on wide screens its button is beside the outline.
  const write: PageAction = {
    label: "Write Content with AI",
    pending: writer.running === "body",
    disabled: writer.running === "outline",
    disabledReason: noOutline,
    onSelect: writer.writeBody,
    isMain: true,
    phoneOnly: true,
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div
        className={cn(
          "flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1",
          // It has its line before "Update on site" needs the room, so that the text stays where it is.
          isLive(piece) && "md:max-xl:basis-full",
        )}
      >
        <StatusBadge {...CONTENT_STATES[piece.status].badge} />
        <PieceWorkBadge piece={piece} />
        {piece.isOutline ? <FactBadge>Outline</FactBadge> : null}
        <FactBadge>{piece.isTitleOnly ? "Only Title" : "Content Created"}</FactBadge>
        <NewerHereBadge piece={piece} />
        {hasNoText || keepsPlace ? (
          <FactBadge className={hasNoText ? undefined : "invisible xl:hidden"}>{NO_TEXT}</FactBadge>
        ) : null}
        <SaveState editor={editor} savedAt={piece.updatedAt} />
        {/* On phones there is no room for them beside the tabs. */}
        <PieceLinks pieceId={piece.id} className="-my-3 -me-3 md:hidden" />
        {losses > 0 ? (
          <Button variant="ghost" size="sm" className="-me-2.5 max-md:-ms-2.5 md:-my-1" onClick={onShowLosses}>
            <EyeOff aria-hidden="true" />
            {willNotAppear(losses)}
          </Button>
        ) : null}
      </div>
      <PageActions
        actions={[
          sync,
          ...update.actions,
          site.action,
          ...(isOutlineShown ? [{ ...save, isMain: false }, write] : [save]),
        ]}
        status={
          // Touch has no tooltips, and on phones the state above scrolls away.
          editor.isDirty && editor.isFailing ? (
            <p className="order-first basis-full text-sm md:hidden">
              <Unsaved>Not saved yet. This browser keeps what you type.</Unsaved>
            </p>
          ) : isOutlineShown && noOutline ? (
            <p className="order-first basis-full text-muted-foreground text-sm md:hidden">
              Write or generate an outline first.
            </p>
          ) : null
        }
      />
      {site.dialogs}
      {update.dialogs}
    </div>
  );
}

/** Announces only trouble: a word at each pause would disturb users who listen. */
function SaveState({ editor, savedAt }: { editor: ContentEditorState; savedAt: string }) {
  const { isDirty, isSaving, isAutosaving, isFailing, hasSaved } = editor;
  return (
    // On phones it has a line of its own beside the links, so that the text stays where it is when its words change.
    <span className="whitespace-nowrap text-muted-foreground text-sm max-md:grow max-md:basis-[calc(100%-96px)] md:ml-1">
      <span role="status">{isDirty && isFailing ? <Unsaved>Not saved yet</Unsaved> : null}</span>
      {isDirty && !isFailing ? <Unsaved>{isSaving || isAutosaving ? "Saving…" : "Unsaved changes"}</Unsaved> : null}
      {!isDirty ? <LocalTime before={hasSaved ? "Saved " : "Last saved "} at={savedAt} style="recent" /> : null}
    </span>
  );
}

export function Unsaved({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden="true" className="size-1.5 rounded-full bg-warning" />
      {children}
    </span>
  );
}

function useSyncAction(piece: ContentOut): PageAction {
  const sync = useSyncContent();
  return {
    label: "Sync Status",
    variant: "ghost",
    icon: <RefreshCw aria-hidden="true" />,
    disabled: piece.wpPostId ? false : "Not on WordPress yet",
    pending: sync.isPending,
    onSelect: () => sync.mutate(piece),
  };
}

/** Publish or unpublish: one button, so that it keeps the focus. Publishing first saves unsaved changes. */
function useSiteAction(
  piece: ContentOut,
  editor: ContentEditorState,
  ready: { readiness: Readiness; onGoTo: (place: Place) => void },
): { action: PageAction; dialogs: ReactNode } {
  const { isOnline, isPending, ask, dialogs } = useSiteChange(piece, {
    title: editor.fields.title,
    saveFirst: editor.saveAll,
    ...ready,
  });
  const action: PageAction = {
    id: "site",
    label: isOnline ? "Unpublish from WordPress" : "Publish to WordPress",
    variant: "outline",
    icon: isOnline ? <CloudOff aria-hidden="true" /> : <Globe aria-hidden="true" />,
    disabledReason: !isOnline && isBlank(editor.fields.body) && BODY_FIRST,
    pending: isPending,
    onSelect: ask,
  };
  return { action, dialogs };
}

/** Sends the text to the live post that has an older one, with what is unsaved. */
function useUpdateAction(
  piece: ContentOut,
  editor: ContentEditorState,
  ready: { readiness: Readiness; onGoTo: (place: Place) => void },
): { actions: PageAction[]; dialogs: ReactNode } {
  const publish = usePublishContent();
  const { title, slug } = editor.fields;
  const { isPending, ask, dialogs } = usePostUpdate(piece, publish, {
    title,
    slug,
    saveFirst: editor.saveAll,
    ...ready,
  });
  const action: PageAction = {
    label: "Update on site",
    variant: "outline",
    icon: <CloudUpload aria-hidden="true" />,
    disabledReason: isBlank(editor.fields.body) && BODY_FIRST,
    pending: isPending,
    onSelect: ask,
  };
  return { actions: piece.isNewerHere ? [action] : [], dialogs };
}
