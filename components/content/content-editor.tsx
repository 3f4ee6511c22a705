"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { ContentNotFound } from "@/components/content/content-not-found";
import { EditPanel } from "@/components/content/edit-panel";
import { EditorAlerts, type EditorTab as Tab } from "@/components/content/editor-alerts";
import { EditorDetails, type Place } from "@/components/content/editor-details";
import { EditorHeader } from "@/components/content/editor-header";
import { EditorPlaceholder } from "@/components/content/editor-placeholder";
import { withdrawUndo } from "@/components/content/outline/undo-change";
import { OutlineActions } from "@/components/content/outline-actions";
import { OutlinePanel } from "@/components/content/outline-panel";
import { PieceLinks } from "@/components/content/piece-links";
import { PieceNotices } from "@/components/content/piece-notices";
import { PreviewPanel } from "@/components/content/preview-panel";
import { readinessIn } from "@/components/content/readiness";
import { RecoveredEdits } from "@/components/content/recovered-edits";
import { RevisionHistory } from "@/components/content/revision-history";
import { SeoPanel } from "@/components/content/seo-panel";
import { UnfinishedNotice } from "@/components/content/unfinished-notice";
import { type ContentEditorState, useContentEditor } from "@/components/content/use-content-editor";
import { usePieceWriter } from "@/components/content/use-piece-writer";
import { ErrorState } from "@/components/shared/error-state";
import { afterRender, isFocusLost } from "@/components/shared/focus-return";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import { LeaveGuard } from "@/components/shared/leave-guard";
import { newMemory } from "@/components/shared/markdown-editor/use-markdown-editor";
import { useHeightVariable } from "@/components/shared/use-height-variable";
import { useShortcut } from "@/components/shared/use-shortcut";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { isNotFound } from "@/lib/client/api";
import { invalidate } from "@/lib/client/invalidation";
import { useTabTitle } from "@/lib/client/use-tab-title";
import { contentQuery } from "@/lib/features/content/client";
import { lossesIn, useReview } from "@/lib/features/content/client/review";
import type { ContentOut } from "@/lib/features/content/schema";
import type { Reviewed, Place as Stretch } from "@/lib/features/content/seo/material";
import { rivalsQuery } from "@/lib/features/publishing/client/reviews";
import { useSiteOfProject } from "@/lib/features/sites/client";
import { hostOf } from "@/lib/features/sites/rules";
import { cn } from "@/lib/utils/cn";

const ConflictDialog = lazyDialog(() =>
  import("@/components/content/conflict-dialog").then((module) => module.ConflictDialog),
);

/** The editor of one piece, which opens on `tab` if the address names one. */
export function ContentEditor({ id, place, tab }: { id: string; place: Place; tab?: Tab | undefined }) {
  const {
    data: piece,
    isError,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...contentQuery(id),
    // No event reports that a text begun elsewhere is finished.
    refetchInterval: ({ state }) => (state.data?.isBeingWritten ? POLL_MS : false),
  });
  const isGone = isNotFound(error);
  if (piece) return <LoadedEditor key={id} piece={piece} place={place} firstTab={tab} isGone={isGone} />;
  if (isGone) return <ContentNotFound />;
  if (isError) {
    return <ErrorState title="Error fetching content" error={error} pending={isFetching} onRetry={() => refetch()} />;
  }
  return <EditorPlaceholder />;
}

const POLL_MS = 5_000;

function LoadedEditor({
  piece: cached,
  place,
  firstTab,
  isGone,
}: {
  piece: ContentOut;
  place: Place;
  firstTab: Tab | undefined;
  isGone: boolean;
}) {
  // True once the user has chosen to write the outline by hand.
  const [isOutlineOpened, setOutlineOpened] = useState(false);
  const titleField = useRef<HTMLTextAreaElement>(null);
  const editor = useContentEditor(cached, {
    onTitleMissing() {
      setTab("edit");
      afterRender(
        () => showElement(titleField.current),
        () => titleField.current !== null,
      );
    },
  });
  const { piece } = editor;
  const writer = usePieceWriter(piece, editor, {
    onStart: () => setTab("outline"),
    onBody: () => setTab("edit"),
  });
  const [tab, setTab] = useTab(firstTab, (piece.isOutline && !piece.hasBody) || writer.isPending, editor.isDirty);
  useShortcut("s", editor.saveChanges);
  // Tabs unmount their panels; undo goes on when the text is opened again.
  const bodyMemory = useRef(newMemory());
  const [visit, setVisit] = useState(0);
  const review = useReview(useReviewed(piece, editor.fields, place.language));
  const losses = lossesIn(review);
  const readiness = useMemo(() => readinessIn(review), [review]);
  const lossesHeading = useRef<HTMLHeadingElement>(null);

  const hasOutlineTab = piece.isOutline || isOutlineOpened || writer.isPending;
  const shown = tab === "outline" && !hasOutlineTab ? "edit" : tab;
  // Saving an empty outline must not close the open tab.
  if (shown === "outline" && piece.isOutline && !isOutlineOpened) setOutlineOpened(true);
  const tabs = useFocusOnTab(`${shown} ${writer.running}`);
  const head = useHeightVariable("--editor-head");
  const openOutline = () => {
    setOutlineOpened(true);
    setTab("outline");
  };

  function showLosses() {
    setTab("preview");
    afterRender(
      () => showElement(lossesHeading.current),
      () => lossesHeading.current !== null,
    );
  }
  /** Opens the text there. An editor looks for its place only when it is created, so an open one is created again. */
  function goTo({ from, to }: Stretch, instruction?: string) {
    bodyMemory.current.place = { from, to, instruction };
    setVisit((last) => last + 1);
    setTab("edit");
  }

  useTabTitle(piece.title);
  useRefreshWhenWritten(piece);
  useEffect(() => withdrawUndo, []);
  if (isGone && !editor.isDirty) return <ContentNotFound />;

  return (
    <>
      <h1 className="sr-only">{piece.title}</h1>
      <Tabs value={shown} onValueChange={(next) => setTab(next as Tab)}>
        {/* What the text's toolbar sticks under: see globals.css. */}
        <div ref={head} className="editor-head focus-mode:hidden">
          <EditorHeader
            piece={piece}
            editor={editor}
            writer={writer}
            losses={losses.length}
            onShowLosses={showLosses}
            readiness={readiness}
            onGoTo={goTo}
            isOutlineShown={shown === "outline"}
          />
          <div className="relative mt-4">
            <TabsList ref={tabs} aria-label="Content" className="max-md:-mx-4 max-md:gap-1 max-md:px-4">
              <TabsTrigger value="edit">Edit</TabsTrigger>
              <TabsTrigger value="preview">Preview</TabsTrigger>
              <TabsTrigger value="outline" disabled={!hasOutlineTab} title={hasOutlineTab ? undefined : NO_OUTLINE}>
                Outline
                {hasOutlineTab ? null : <Lock aria-hidden="true" />}
              </TabsTrigger>
              <TabsTrigger value="seo">SEO Assistant</TabsTrigger>
            </TabsList>
            <div className="absolute inset-y-0 -end-2.5 flex items-center gap-1 max-md:hidden">
              <PieceLinks pieceId={piece.id} />
              <RevisionHistory pieceId={piece.id} />
            </div>
          </div>
        </div>
        <div className="max-md:not-empty:mb-4 focus-mode:hidden">
          <PieceNotices
            isGone={isGone}
            isWrittenElsewhere={piece.isBeingWritten && !writer.isPending}
            writer={writer}
            onDecide={editor.conflict?.decide}
          />
          {isGone || piece.isBeingWritten ? null : <UnfinishedNotice piece={piece} writer={writer} />}
          <RecoveredEdits editor={editor} />
          <EditorAlerts
            piece={piece}
            writer={writer}
            tab={shown}
            onOpenTab={(next) => (next === "outline" ? openOutline() : setTab(next))}
          />
        </div>
        <div className="mt-6 grid items-start gap-x-8 gap-y-6 max-md:mt-0 xl:grid-cols-[minmax(0,1fr)_272px] xl:grid-rows-[auto_1fr] focus-mode:mt-0 focus-mode:block">
          <div className="min-w-0 xl:row-span-2">
            <TabsContent value="edit">
              <EditPanel key={visit} piece={piece} editor={editor} memory={bodyMemory} titleField={titleField} />
            </TabsContent>
            <TabsContent value="preview">
              <PreviewPanel
                title={editor.fields.title}
                body={editor.fields.body}
                losses={losses}
                lossesHeading={lossesHeading}
                onGoTo={(position) => goTo({ from: position, to: position })}
              />
            </TabsContent>
            <TabsContent value="outline">
              <OutlinePanel piece={piece} editor={editor} writing={writer.writing} />
            </TabsContent>
            <TabsContent value="seo">
              <SeoPanel piece={piece} fields={editor.fields} review={review} onGoTo={goTo} />
            </TabsContent>
          </div>
          <OutlineActions
            piece={piece}
            editor={editor}
            writer={writer}
            isShown={shown === "outline"}
            onWriteOwn={openOutline}
            // Below the text it would be far from the outline; on phones its main action is in the bar.
            className={cn("focus-mode:hidden", shown === "outline" && "md:max-xl:order-first")}
          />
          <EditorDetails piece={piece} editor={editor} place={place} />
        </div>
      </Tabs>
      {editor.conflict ? (
        <ConflictDialog
          open={editor.conflict.isDeciding}
          onOpenChange={editor.conflict.close}
          conflict={editor.conflict}
          isSaving={editor.isSaving}
        />
      ) : null}
      {writer.dialog}
      <LeaveGuard active={editor.isDirty} save={editor.saveToLeave} description={editor.unsavedNote} />
    </>
  );
}

/** What the review is made of: a new object only when something in it has changed. */
function useReviewed(
  piece: ContentOut,
  { title, body, outline, slug, metaTitle, metaDescription, focusKeyword }: ContentEditorState["fields"],
  language: string | null,
): Reviewed {
  const site = hostOf(useSiteOfProject(piece.projectId).url);
  const { data: others = null } = useQuery(rivalsQuery(piece));
  return useMemo(
    () => ({ title, body, outline, slug, metaTitle, metaDescription, focusKeyword, language, site, others }),
    [title, body, outline, slug, metaTitle, metaDescription, focusKeyword, language, site, others],
  );
}

/** Focuses the element in the middle of the window, where nothing covers it. */
function showElement(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "center" });
  element?.focus({ preventScroll: true });
}

/** Refreshes the lists when a text begun elsewhere is finished. */
function useRefreshWhenWritten({ id, projectId, topicId, isBeingWritten }: ContentOut): void {
  const client = useQueryClient();
  const wasBeingWritten = useRef(isBeingWritten);
  useEffect(() => {
    if (wasBeingWritten.current && !isBeingWritten) {
      const place = { projectId, topicId, contentId: id };
      invalidate(client, [
        { noun: "piece", ...place },
        { noun: "unfinished", ...place },
      ]);
    }
    wasBeingWritten.current = isBeingWritten;
  }, [client, id, projectId, topicId, isBeingWritten]);
}

/**
 * The open tab. Until the user chooses one, it becomes Outline once there is an outline that no text was written from
 * yet, but never while they type. A written piece opens on its text, which users come back for. `first` is chosen by the link
 * that led here.
 */
function useTab(first: Tab | undefined, prefersOutline: boolean, isDirty: boolean): [Tab, (tab: Tab) => void] {
  const [tab, setTab] = useState<Tab>(first ?? (prefersOutline ? "outline" : "edit"));
  const [isChosen, setChosen] = useState(first !== undefined);
  useEffect(() => {
    const isTyping = document.activeElement?.matches("textarea, [contenteditable]");
    if (prefersOutline && !isChosen && !isDirty && !isTyping) setTab("outline");
  }, [prefersOutline, isChosen, isDirty]);
  return [
    tab,
    (next) => {
      setChosen(true);
      setTab(next);
    },
  ];
}

const NO_OUTLINE = "This piece has no outline yet";

/** Focuses the open tab if the button that opened it was unmounted with the previous one. */
function useFocusOnTab(state: string) {
  const tabs = useRef<HTMLDivElement>(null);
  const lastState = useRef(state);
  useEffect(() => {
    if (lastState.current === state) return;
    lastState.current = state;
    if (isFocusLost()) tabs.current?.querySelector<HTMLElement>("[aria-selected='true']")?.focus();
  }, [state]);
  return tabs;
}
