"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { ContentNotFound } from "@/components/content/content-not-found";
import { EditPanel } from "@/components/content/edit-panel";
import { EditorAlerts } from "@/components/content/editor-alerts";
import { EditorDetails, type Place } from "@/components/content/editor-details";
import { EditorHeader } from "@/components/content/editor-header";
import { EditorPlaceholder } from "@/components/content/editor-placeholder";
import { OutlineActions } from "@/components/content/outline-actions";
import { OutlinePanel } from "@/components/content/outline-panel";
import { PieceNotices } from "@/components/content/piece-notices";
import { PreviewPanel } from "@/components/content/preview-panel";
import { SeoPanel } from "@/components/content/seo-panel";
import { useContentEditor } from "@/components/content/use-content-editor";
import { usePieceWriter } from "@/components/content/use-piece-writer";
import { ErrorState } from "@/components/shared/error-state";
import { LateDialog } from "@/components/shared/late-dialog";
import { LeaveGuard } from "@/components/shared/leave-guard";
import { isLost } from "@/components/ui/focus-return";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { isNotFound } from "@/lib/client/api";
import { markChanged } from "@/lib/client/live";
import { contentQuery } from "@/lib/features/content/client";
import type { ContentOut } from "@/lib/features/content/schema";
import { late } from "@/lib/utils/late";

const conflictDialog = late(() =>
  import("@/components/content/conflict-dialog").then((module) => module.ConflictDialog),
);

/** The content editor: one piece, its text, its outline and its way to the site. */
export function ContentEditor({ id, place }: { id: string; place: Place }) {
  const {
    data: piece,
    isError,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...contentQuery(id),
    // This page is not told when a text begun elsewhere is finished.
    refetchInterval: ({ state }) => (state.data?.isBeingWritten ? LOOK_AGAIN_MS : false),
  });
  const isGone = isNotFound(error);
  if (piece) return <LoadedEditor key={id} piece={piece} place={place} isGone={isGone} />;
  if (isGone) return <ContentNotFound />;
  if (isError) {
    return <ErrorState title="Error fetching content" error={error} pending={isFetching} onRetry={() => refetch()} />;
  }
  return <EditorPlaceholder />;
}

/** How often to look at a piece that the AI writes for another page. */
const LOOK_AGAIN_MS = 5_000;

type Tab = "edit" | "preview" | "outline" | "seo";

function LoadedEditor({ piece, place, isGone }: { piece: ContentOut; place: Place; isGone: boolean }) {
  // A person who wants to write the outline by hand opens its tab themselves.
  const [isOutlineOpened, setOutlineOpened] = useState(false);
  const editor = useContentEditor(piece);
  const writer = usePieceWriter(piece, editor, {
    onStart: () => setTab("outline"),
    onBody: () => setTab("edit"),
  });
  const [tab, setTab] = useTab(piece.isOutline || writer.isPending, editor.isDirty);
  useSaveShortcut(editor.saveChanges);

  const hasOutlineTab = piece.isOutline || isOutlineOpened || writer.isPending;
  const shown = tab === "outline" && !hasOutlineTab ? "edit" : tab;
  // Saving a blanked outline must not close the tab one is in.
  if (shown === "outline" && piece.isOutline && !isOutlineOpened) setOutlineOpened(true);
  const tabs = useFocusOnTab(`${shown} ${writer.running}`);
  const openOutline = () => {
    setOutlineOpened(true);
    setTab("outline");
  };

  useMarkWhenWritten(piece);
  if (isGone && !editor.isDirty) return <ContentNotFound />;

  return (
    <>
      <h1 className="sr-only">{piece.title}</h1>
      <EditorHeader piece={piece} editor={editor} writer={writer} isOutlineShown={shown === "outline"} />
      <Tabs value={shown} onValueChange={(next) => setTab(next as Tab)} className="mt-4">
        <TabsList ref={tabs} aria-label="Content" className="max-md:-mx-4 max-md:gap-1 max-md:px-4">
          <TabsTrigger value="edit">Edit</TabsTrigger>
          <TabsTrigger value="preview">Preview</TabsTrigger>
          <TabsTrigger value="outline" disabled={!hasOutlineTab} title={hasOutlineTab ? undefined : NO_OUTLINE}>
            Outline
            {hasOutlineTab ? null : <Lock aria-hidden="true" />}
          </TabsTrigger>
          <TabsTrigger value="seo">SEO Assistant</TabsTrigger>
        </TabsList>
        <PieceNotices isGone={isGone} isWrittenElsewhere={piece.isBeingWritten && !writer.isPending} />
        <EditorAlerts piece={piece} writer={writer} onWriteOutline={shown === "outline" ? undefined : openOutline} />
        <div className="mt-6 grid items-start gap-x-8 gap-y-6 max-md:mt-0 xl:grid-cols-[minmax(0,1fr)_272px] xl:grid-rows-[auto_1fr]">
          <div className="min-w-0 xl:row-span-2">
            <TabsContent value="edit">
              <EditPanel piece={piece} editor={editor} />
            </TabsContent>
            <TabsContent value="preview">
              <PreviewPanel title={editor.fields.title} body={editor.fields.body} />
            </TabsContent>
            <TabsContent value="outline">
              <OutlinePanel piece={piece} editor={editor} writing={writer.writing} />
            </TabsContent>
            <TabsContent value="seo">
              <SeoPanel piece={piece} title={editor.fields.title} body={editor.fields.body} />
            </TabsContent>
          </div>
          <OutlineActions
            piece={piece}
            editor={editor}
            writer={writer}
            isShown={shown === "outline"}
            onWriteOwn={openOutline}
            // Under the text it would be far from where the outline is read; on phones the bar has the main part of it.
            className={shown === "outline" ? "md:max-xl:order-first" : undefined}
          />
          <EditorDetails piece={piece} place={place} />
        </div>
      </Tabs>
      <LateDialog
        dialog={conflictDialog}
        open={editor.conflict !== null}
        onOpenChange={editor.closeConflict}
        editor={editor}
      />
      {writer.dialog}
      <LeaveGuard active={editor.isDirty} onLeave={editor.discard} />
    </>
  );
}

/** Once a text begun elsewhere is finished, the lists show it too. */
function useMarkWhenWritten({ id, projectId, topicId, isBeingWritten }: ContentOut): void {
  const client = useQueryClient();
  const was = useRef(isBeingWritten);
  useEffect(() => {
    if (was.current && !isBeingWritten) {
      markChanged(client, [{ noun: "piece", projectId, topicId, contentId: id }]);
    }
    was.current = isBeingWritten;
  }, [client, id, projectId, topicId, isBeingWritten]);
}

/**
 * The open tab. Until the person chooses one, it is Outline as soon as there is an outline, even one a queue has just
 * written, but it never changes while they type.
 */
function useTab(beginsWithOutline: boolean, isDirty: boolean): [Tab, (tab: Tab) => void] {
  const [tab, setTab] = useState<Tab>(beginsWithOutline ? "outline" : "edit");
  const [isChosen, setChosen] = useState(false);
  useEffect(() => {
    const isTyping = document.activeElement instanceof HTMLTextAreaElement;
    if (beginsWithOutline && !isChosen && !isDirty && !isTyping) setTab("outline");
  }, [beginsWithOutline, isChosen, isDirty]);
  return [
    tab,
    (next) => {
      setChosen(true);
      setTab(next);
    },
  ];
}

const NO_OUTLINE = "This piece has no outline yet";

/** A button that opened another tab may be gone with the one before: then the tab that is open has the focus. */
function useFocusOnTab(state: string) {
  const tabs = useRef<HTMLDivElement>(null);
  const known = useRef(state);
  useEffect(() => {
    if (known.current === state) return;
    known.current = state;
    if (isLost()) tabs.current?.querySelector<HTMLElement>("[aria-selected='true']")?.focus();
  }, [state]);
  return tabs;
}

/** Ctrl+S and Cmd+S save, as everywhere. */
function useSaveShortcut(save: () => void): void {
  useEffect(() => {
    function listen(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      save();
    }
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [save]);
}
