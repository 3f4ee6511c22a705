"use client";

import { Slot } from "radix-ui";
import { type ComponentType, type KeyboardEvent, type MouseEvent, type ReactElement, useState } from "react";
import { type LazyModule, lazyModule, useLazyPopup } from "@/lib/utils/lazy-module";

type Kind = "menu" | "dialog" | "listbox";

/** The button that opens the popup. */
type Trigger = { trigger: ReactElement };

export type PopupProps = Trigger & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The key that first opened it was pressed before Radix had loaded. */
  isOpenedByKey: boolean;
};

/**
 * A menu, popover or select whose Radix part is loaded separately from the page. Until it is first opened its trigger is a
 * plain button; from then on Radix renders and controls the trigger.
 */
export function lazyPopup<P extends object>(kind: Kind, load: () => Promise<ComponentType<P & PopupProps>>) {
  const popup = lazyModule(load);
  return ({ trigger, ...props }: P & Trigger) => (
    <LazyPopup kind={kind} popup={popup} trigger={trigger} props={props as unknown as P} />
  );
}

// The attributes Radix sets on the trigger, and the keys that open it besides Enter and Space.
const ROLES = {
  menu: { "aria-haspopup": "menu" },
  dialog: { "aria-haspopup": "dialog" },
  listbox: { role: "combobox", "aria-autocomplete": "none" },
} as const;
const ARROWS: Record<Kind, string[]> = { menu: ["ArrowDown"], dialog: [], listbox: ["ArrowDown", "ArrowUp"] };

function LazyPopup<P extends object>({
  kind,
  popup,
  trigger,
  props,
}: Trigger & { kind: Kind; popup: LazyModule<ComponentType<P & PopupProps>>; props: P }) {
  const [open, setOpen] = useState(false);
  const [isOpenedByKey, setOpenedByKey] = useState(false);
  const Popup = useLazyPopup(popup, open, () => setOpen(false));

  function toggle(event: MouseEvent | KeyboardEvent) {
    // A click by keyboard has a count of 0.
    setOpenedByKey(event.detail === 0);
    setOpen(!open);
  }

  function openByArrow(event: KeyboardEvent) {
    if (open || !ARROWS[kind].includes(event.key)) return;
    event.preventDefault();
    toggle(event);
  }

  if (Popup) {
    return <Popup {...props} trigger={trigger} open={open} onOpenChange={setOpen} isOpenedByKey={isOpenedByKey} />;
  }
  return (
    <Slot.Root {...ROLES[kind]} aria-expanded={open} onClick={toggle} onKeyDown={openByArrow}>
      {trigger}
    </Slot.Root>
  );
}
