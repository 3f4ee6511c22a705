"use client";

import { ChevronDown } from "lucide-react";
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  use,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { controlLook } from "@/components/ui/input";
import type * as Panel from "@/components/ui/select-panel";
import { cn } from "@/lib/utils/cn";
import { late, useLate } from "@/lib/utils/late";

const panel = late(() => import("@/components/ui/select-panel"));

type Choice = { value: string; onValueChange: (value: string) => void; disabled?: boolean };
type State = Choice & {
  loaded: typeof Panel | null;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  want: () => void;
  trigger: HTMLElement | null;
  setTrigger: (trigger: HTMLElement | null) => void;
  /** Where the chosen item's words are shown. */
  label: HTMLElement | null;
  setLabel: (label: HTMLElement | null) => void;
};

const SelectContext = createContext<State | null>(null);

function useSelect(): State {
  const state = use(SelectContext);
  if (!state) throw new Error("A part of a select must be used within a Select");
  return state;
}

/** The trigger and its value are on the page at once. As with a menu, Radix takes them over when somebody turns to them. */
export function Select({ children, ...choice }: Choice & { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const [trigger, setTrigger] = useState<HTMLElement | null>(null);
  const [label, setLabel] = useState<HTMLElement | null>(null);
  const loaded = useLate(panel, isWanted || isOpen, () => {
    setWanted(false);
    setOpen(false);
  });
  const want = () => setWanted(true);
  const state = { ...choice, loaded, isOpen, setOpen, want, trigger, setTrigger, label, setLabel };
  return <SelectContext value={state}>{children}</SelectContext>;
}

const OPEN_KEYS = ["Enter", " ", "ArrowUp", "ArrowDown"];

/** Opened before Radix is there, the list shows when it is. */
export function SelectTrigger({ className, children, ...props }: ComponentProps<"button">) {
  const { value, disabled, loaded, isOpen, setOpen, want, setTrigger } = useSelect();

  function press(event: PointerEvent) {
    want();
    if (loaded || event.pointerType !== "mouse" || event.button !== 0 || event.ctrlKey) return;
    event.preventDefault();
    setOpen(true);
  }

  function type(event: KeyboardEvent) {
    if (loaded || !OPEN_KEYS.includes(event.key)) return;
    event.preventDefault();
    setOpen(true);
  }

  return (
    <button
      type="button"
      role="combobox"
      aria-expanded={isOpen}
      aria-autocomplete="none"
      data-placeholder={value === "" ? "" : undefined}
      disabled={disabled}
      onFocus={want}
      onPointerEnter={want}
      onPointerDown={press}
      onKeyDown={type}
      onClick={() => (loaded ? undefined : setOpen(true))}
      className={cn(
        controlLook,
        "flex h-(--control) items-center justify-between gap-2 px-3 text-left data-placeholder:text-muted-foreground [&>span]:truncate",
        className,
      )}
      {...props}
      ref={setTrigger}
    >
      {children}
      <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
    </button>
  );
}

export function SelectValue({ placeholder }: { placeholder?: ReactNode }) {
  const { value, setLabel } = useSelect();
  return (
    <span ref={setLabel} className="pointer-events-none">
      {value === "" ? placeholder : null}
    </span>
  );
}

export function SelectContent({ children, ...props }: ComponentProps<typeof Panel.SelectContent>) {
  const { loaded, trigger, isOpen, setOpen, value, onValueChange, disabled } = useSelect();
  if (!loaded || !trigger) return children;
  return (
    <loaded.SelectRoot
      trigger={trigger}
      open={isOpen}
      onOpenChange={setOpen}
      value={value}
      onValueChange={onValueChange}
      disabled={disabled}
    >
      <loaded.SelectContent {...props}>{children}</loaded.SelectContent>
    </loaded.SelectRoot>
  );
}

/** Items under a heading. */
export function SelectSection({ label, children }: ComponentProps<typeof Panel.SelectSection>) {
  const { loaded, trigger } = useSelect();
  if (!loaded || !trigger) return children;
  return <loaded.SelectSection label={label}>{children}</loaded.SelectSection>;
}

/** The chosen one shows its words in the trigger too. */
export function SelectItem({ children, ...props }: ComponentProps<typeof Panel.SelectItem>) {
  const { loaded, trigger, label, value } = useSelect();
  return (
    <>
      {loaded && trigger ? <loaded.SelectItem {...props}>{children}</loaded.SelectItem> : null}
      {label && props.value === value ? createPortal(children, label) : null}
    </>
  );
}
