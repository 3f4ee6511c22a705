"use client";

import type { EditorState } from "@codemirror/state";
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { LAYER } from "@/components/shared/focus-return";
import type { Editor, EditorCommand, Forms } from "@/components/shared/markdown-editor/create-editor";
import type { LinkTarget } from "@/components/shared/markdown-editor/link-target";
import { loadEditor } from "@/components/shared/markdown-editor/load-editor";
import type { Pasted } from "@/components/shared/markdown-editor/paste";
import type { ProposalState } from "@/components/shared/markdown-editor/proposal";
import { FocusBar, Toolbar } from "@/components/shared/markdown-editor/toolbar";
import { isComposing } from "@/lib/client/composing";
import { cn } from "@/lib/utils/cn";

type Module = typeof import("@/components/shared/markdown-editor/create-editor");

/** What an editor leaves for the next one of the same text: its history, selection and view. */
export type EditorMemory = {
  state: EditorState | null;
  isSource: boolean;
  /** What the next one selects, once: it takes the focus, and asks what writes with the user for `instruction`. */
  place: { from: number; to: number; instruction?: string | undefined } | null;
};

export const newMemory = (): EditorMemory => ({ state: null, isSource: false, place: null });

function takePlace(memory: EditorMemory): EditorMemory["place"] {
  const { place } = memory;
  memory.place = null;
  return place;
}

type Options = {
  label: string;
  text: string;
  /** Direction of the plain field. */
  direction: "auto" | "ltr" | "rtl";
  placeholder: string;
  maxLength: number;
  memory: RefObject<EditorMemory>;
  /** Opens what writes with the user: from the toolbar, by Ctrl+J, or from the "/" menu to write on. */
  onAssist?: ((editor: Editor, isWritingOn: boolean, instruction?: string) => void) | undefined;
  /** Height and font of the field. */
  className: string;
  /** `read` returns the text, which takes a while if it is long. With a length of 0 it is to be read at once. */
  onChange: (read: () => string, length: number) => void;
  onTooLong: () => void;
  onPasted: (pasted: Pasted) => void;
  /** Asks for the parts of a link or picture; putLink() takes them. */
  onLink: (editor: Editor, target: LinkTarget) => void;
  /** What is proposed for the text has changed. */
  onProposal: (editor: Editor, proposal: ProposalState | null) => void;
  /** Shown in focus mode, where nothing else can say it. */
  trouble?: ReactNode;
};

/**
 * A visual editor of Markdown, whose text is the Markdown itself: its toolbar and its field. Until its scripts have loaded, and
 * if they never do, a plain field is in its place; text and selection go over to the editor.
 */
export function useMarkdownEditor(options: Options): { toolbar: ReactNode; field: ReactNode } {
  const { label, text, placeholder, maxLength, memory, className, onChange, onTooLong } = options;
  const [loaded, setLoaded] = useState<Module | null>(null);
  const [isReady, setReady] = useState(false);
  const [forms, setForms] = useState<Forms | null>(null);
  const [isSource, setSource] = useState(memory.current.isSource);
  const [isFocusMode, setFocusMode] = useState(false);
  /** Where the window was before focus mode and at its start. */
  const entered = useRef<{ from: number; to: number } | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<Editor | null>(null);
  const known = useRef(text);

  useEffect(() => {
    let isGone = false;
    loadEditor().then(
      (module) => whenNotComposing(plain.current, () => !isGone && setLoaded(module)),
      // The plain field stays.
      () => !isGone && goToInField(plain.current, takePlace(memory.current)),
    );
    return () => {
      isGone = true;
    };
  }, [memory]);

  const changed = useEffectEvent((made: Editor) => {
    onChange(() => (known.current = made.text()), made.view.state.doc.length);
  });
  /** The next editor begins with the text as it is now. */
  const settle = useEffectEvent((made: Editor) => {
    const last = made.text();
    if (last !== known.current) onChange(() => (known.current = last), 0);
  });
  const tooLong = useEffectEvent(onTooLong);
  const pasted = useEffectEvent(options.onPasted);
  const link = useEffectEvent(options.onLink);
  const proposal = useEffectEvent(options.onProposal);
  const toggleSource = useEffectEvent(switchSource);
  const { onAssist } = options;
  const canAssist = onAssist !== undefined;
  const assist = useEffectEvent(openAssist);
  const mend = useEffectEvent((made: Editor, instruction: string) => onAssist?.(made, false, instruction));
  const first = useEffectEvent(() => ({
    text,
    from: memory.current.state ?? undefined,
    label,
    placeholder,
    maxLength,
    isSource,
  }));

  // This runs before the next frame, which would otherwise show both fields.
  useLayoutEffect(() => {
    const parent = host.current;
    if (!loaded || !parent) return;
    const field = plainField(plain.current);
    const options = first();
    known.current = options.text;
    const made = loaded.createEditor({
      ...options,
      parent,
      onChange: () => changed(made),
      onForms: (next) => setForms((now) => (isSame(now, next) ? now : next)),
      onSource: () => toggleSource(),
      onAssist: canAssist ? (isWritingOn) => assist(isWritingOn) : undefined,
      onTooLong: () => tooLong(),
      onPasted: (what) => pasted(what),
      onLink: (target) => link(made, target),
      onProposal: (state) => proposal(made, state),
    });
    editor.current = made;
    proposal(made, made.proposal.state());
    // A hidden element takes no focus; the next render shows this one too.
    parent.hidden = false;
    if (field) made.view.dispatch({ selection: { anchor: field.from, head: field.to } });
    if (field?.isFocused) made.view.focus();
    const place = takePlace(memory.current);
    if (place !== null) made.goTo(place);
    if (place?.instruction) mend(made, place.instruction);
    setReady(true);
    const kept = memory.current;
    return () => {
      kept.state = made.close();
      settle(made);
      editor.current = null;
    };
  }, [loaded, memory, canAssist]);

  // This runs with the render, so that no key comes before a new text is taken over.
  useLayoutEffect(() => {
    if (text === known.current) return;
    const isAsStored = text.trim() === known.current.trim();
    known.current = text;
    // Surrounding white space is not stored. The space after the last word stays here: the next word is about to follow.
    if (!isAsStored) editor.current?.replace(text);
  }, [text]);

  function openAssist(isWritingOn: boolean) {
    if (editor.current) onAssist?.(editor.current, isWritingOn);
  }

  function switchSource() {
    const next = !isSource;
    memory.current.isSource = next;
    setSource(next);
    editor.current?.setSource(next);
  }

  /** Renders at once, so that what the text moves by can be measured. */
  function switchFocusMode() {
    const from = window.scrollY;
    // Near its top the page cannot scroll as far as the text has moved.
    const back = entered.current?.to === from ? entered.current.from : undefined;
    editor.current?.keepPlace(() => flushSync(() => setFocusMode(!isFocusMode)), back);
    entered.current = isFocusMode ? null : { from, to: window.scrollY };
  }

  const leaveFocusMode = useEffectEvent(switchFocusMode);
  useLayoutEffect(() => {
    if (!isFocusMode) return;
    const { dataset } = document.documentElement;
    const made = editor.current;
    dataset.focusMode = "";
    made?.setFocusMode(true);
    const stopListening = onEscape(() => leaveFocusMode());
    return () => {
      delete dataset.focusMode;
      stopListening();
      // It is gone already when the screen is left.
      if (editor.current === made) made?.setFocusMode(false);
    };
  }, [isFocusMode]);

  const toolbar = isFocusMode ? (
    <FocusBar trouble={options.trouble} onLeave={switchFocusMode} />
  ) : (
    <Toolbar
      forms={forms}
      isReady={isReady}
      isSource={isSource}
      onCommand={(command: EditorCommand) => editor.current?.run(command)}
      onAssist={canAssist ? () => openAssist(false) : undefined}
      onSource={switchSource}
      onFocusMode={switchFocusMode}
    />
  );
  const field = (
    <>
      {/* What clips its content would not let find and replace stick to the window. The padding is the text's own. */}
      <div ref={host} hidden={!isReady} className={cn(className, "overflow-visible! pb-0!")} />
      {isReady ? null : (
        <textarea
          ref={plain}
          aria-label={label}
          dir={options.direction}
          maxLength={maxLength}
          placeholder={placeholder}
          value={text}
          onChange={({ target: { value } }) => {
            known.current = value;
            onChange(() => value, value.length);
          }}
          className={className}
        />
      )}
    </>
  );
  return { toolbar, field };
}

/** Calls back on Escape, unless something that is open has a use of its own for it. Returns what ends this. */
function onEscape(act: () => void): () => void {
  function onKeyDown(event: KeyboardEvent) {
    const isOfLayer = event.target instanceof Element && event.target.closest(LAYER) !== null;
    if (event.key === "Escape" && !event.defaultPrevented && !isComposing(event) && !isOfLayer) act();
  }
  window.addEventListener("keydown", onKeyDown);
  return () => window.removeEventListener("keydown", onKeyDown);
}

/** Calls back at once, or at a pause in typing that is not in the middle of a composition (of Chinese characters, say). */
function whenNotComposing(field: HTMLTextAreaElement | null, then: () => void): void {
  if (!field || document.activeElement !== field) {
    then();
    return;
  }
  const listening = new AbortController();
  const { signal } = listening;
  let timer = setTimeout(finish, PAUSE_MS);
  function finish() {
    listening.abort();
    then();
  }
  function wait(event: Event) {
    clearTimeout(timer);
    if (!(event as InputEvent).isComposing) timer = setTimeout(finish, PAUSE_MS);
  }
  field.addEventListener("input", wait, { signal });
  field.addEventListener("compositionend", wait, { signal });
}

const PAUSE_MS = 250;

function plainField(field: HTMLTextAreaElement | null): { from: number; to: number; isFocused: boolean } | null {
  if (!field) return null;
  const { selectionStart: from, selectionEnd: to } = field;
  return { from, to, isFocused: document.activeElement === field };
}

function goToInField(field: HTMLTextAreaElement | null, place: EditorMemory["place"]): void {
  if (!field || place === null) return;
  field.setSelectionRange(place.from, place.to);
  field.focus();
}

function isSame(now: Forms | null, next: Forms): boolean {
  return now !== null && (Object.keys(next) as (keyof Forms)[]).every((name) => now[name] === next[name]);
}
