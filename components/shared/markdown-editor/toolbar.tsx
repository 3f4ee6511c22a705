"use client";

import {
  Bold,
  Code,
  Code2,
  Focus,
  Heading2,
  Heading3,
  Image,
  Italic,
  Link,
  List,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Minimize2,
  Minus,
  Quote,
  Search,
  Sparkles,
  Strikethrough,
  Table,
} from "lucide-react";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import type { EditorCommand, Forms } from "@/components/shared/markdown-editor/create-editor";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/utils/cn";

type Tool = {
  command: EditorCommand;
  label: string;
  keys?: string;
  icon: LucideIcon;
  isOn?: (forms: Forms) => boolean;
};

const GROUPS: Tool[][] = [
  [
    {
      command: "heading-2",
      label: "Heading",
      keys: "Ctrl+Alt+2",
      icon: Heading2,
      isOn: ({ block }) => block === "heading-2",
    },
    {
      command: "heading-3",
      label: "Subheading",
      keys: "Ctrl+Alt+3",
      icon: Heading3,
      isOn: ({ block }) => block === "heading-3",
    },
  ],
  [
    { command: "strong", label: "Bold", keys: "Ctrl+B", icon: Bold, isOn: ({ strong }) => strong },
    { command: "emphasis", label: "Italic", keys: "Ctrl+I", icon: Italic, isOn: ({ emphasis }) => emphasis },
    {
      command: "strikethrough",
      label: "Strikethrough",
      keys: "Ctrl+Shift+X",
      icon: Strikethrough,
      isOn: ({ strikethrough }) => strikethrough,
    },
    { command: "code", label: "Code", keys: "Ctrl+E", icon: Code, isOn: ({ code }) => code },
    { command: "link", label: "Link", keys: "Ctrl+K", icon: Link },
  ],
  [
    {
      command: "bullets",
      label: "Bulleted list",
      keys: "Ctrl+Shift+8",
      icon: List,
      isOn: ({ block }) => block === "bullets",
    },
    {
      command: "numbers",
      label: "Numbered list",
      keys: "Ctrl+Shift+7",
      icon: ListOrdered,
      isOn: ({ block }) => block === "numbers",
    },
    { command: "tasks", label: "Task list", icon: ListChecks, isOn: ({ block }) => block === "tasks" },
    { command: "quote", label: "Quote", keys: "Ctrl+Shift+9", icon: Quote, isOn: ({ block }) => block === "quote" },
  ],
  [
    { command: "picture", label: "Image", icon: Image },
    { command: "table", label: "Table", icon: Table },
    { command: "divider", label: "Divider", icon: Minus },
  ],
  [{ command: "find", label: "Find and replace", keys: "Ctrl+F", icon: Search }],
];

/** What can be done to the text. One stop for Tab; the arrow keys move between the buttons. */
export function Toolbar({
  forms,
  isReady,
  isSource,
  onCommand,
  onAssist,
  onSource,
  onFocusMode,
}: {
  /** The forms at the caret; null until the editor has loaded. */
  forms: Forms | null;
  isReady: boolean;
  isSource: boolean;
  onCommand: (command: EditorCommand) => void;
  onAssist?: (() => void) | undefined;
  onSource: () => void;
  onFocusMode: () => void;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const current = useRef(0);

  function move(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY }[
      event.key
    ];
    const buttons = [...(bar.current?.querySelectorAll("button") ?? [])];
    if (step === undefined || buttons.length === 0) return;
    event.preventDefault();
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const next = Math.max(0, Math.min(buttons.length - 1, at + step));
    buttons[current.current]?.setAttribute("tabindex", "-1");
    current.current = next;
    buttons[next]?.setAttribute("tabindex", "0");
    buttons[next]?.focus();
  }

  let index = 0;
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label="Formatting"
      aria-orientation="horizontal"
      onKeyDown={move}
      className="flex items-center gap-0.5 overflow-x-auto px-3 py-1 [scrollbar-width:none] max-md:px-2"
    >
      {onAssist ? (
        <ToolButton
          label="Write with AI"
          keys="Ctrl+J"
          icon={Sparkles}
          disabled={!isReady}
          isStop={index++ === 0}
          onClick={onAssist}
        />
      ) : null}
      {GROUPS.map((group, place) => (
        <div
          key={group[0]?.command}
          role="presentation"
          className={cn("flex gap-0.5", (place > 0 || onAssist) && "ms-1 border-s ps-1.5")}
        >
          {group.map(({ command, label, keys, icon, isOn }) => (
            <ToolButton
              key={command}
              label={label}
              keys={keys}
              icon={icon}
              pressed={isOn ? (forms ? isOn(forms) : false) : undefined}
              disabled={!isReady}
              isStop={index++ === 0}
              onClick={() => onCommand(command)}
            />
          ))}
        </div>
      ))}
      <div role="presentation" className="ms-auto flex gap-0.5 border-s ps-1.5">
        <ToolButton label="Focus mode" icon={Focus} disabled={!isReady} onClick={onFocusMode} />
        <ToolButton
          label="Markdown source"
          keys="Ctrl+/"
          icon={Code2}
          pressed={isSource}
          disabled={!isReady}
          onClick={onSource}
        />
      </div>
    </div>
  );
}

/** In place of the toolbar in focus mode: the way out, and what is wrong. */
export function FocusBar({ trouble, onLeave }: { trouble: ReactNode; onLeave: () => void }) {
  return (
    <div className="flex min-h-[calc(var(--editor-toolbar)-1px)] items-center justify-end gap-4 px-4 max-md:px-2">
      <span role="status" className="text-muted-foreground text-sm">
        {trouble}
      </span>
      <Button variant="ghost" size="sm" onClick={onLeave}>
        <Minimize2 aria-hidden="true" />
        Leave focus mode
      </Button>
    </div>
  );
}

function ToolButton({
  label,
  keys,
  icon: Icon,
  pressed,
  disabled,
  isStop = false,
  onClick,
}: {
  label: string;
  keys?: string | undefined;
  icon: LucideIcon;
  /** Undefined for a button that has no state. */
  pressed?: boolean | undefined;
  disabled: boolean;
  /** True for the button where Tab enters the bar. */
  isStop?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={pressed}
      aria-disabled={disabled || undefined}
      title={keys ? `${label} (${keys})` : label}
      tabIndex={isStop ? 0 : -1}
      // This keeps the selection in the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={disabled ? undefined : onClick}
      className="grid size-8 shrink-0 cursor-pointer place-items-center rounded-sm text-muted-foreground hover:bg-hover hover:text-foreground aria-disabled:pointer-events-none aria-disabled:opacity-50 aria-pressed:bg-accent aria-pressed:text-accent-foreground max-md:size-11 [&_svg]:size-4"
    >
      <Icon aria-hidden="true" />
    </button>
  );
}
