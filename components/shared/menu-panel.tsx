"use client";

import { type ComponentProps, type FocusEvent, useRef } from "react";
import type { PopupProps } from "@/components/shared/lazy-popup";
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from "@/components/ui/dropdown-menu";

/** A menu for lazyPopup. Not modal, so that the page keeps its scroll bar and stays readable. */
export function MenuPanel({
  trigger,
  open,
  onOpenChange,
  isOpenedByKey,
  ...content
}: PopupProps & ComponentProps<typeof DropdownMenuContent>) {
  const focusesFirstItem = useRef(isOpenedByKey);

  /** Radix does this itself, but only for keys pressed after it has loaded. */
  function focusFirstItem({ target, currentTarget }: FocusEvent) {
    if (!focusesFirstItem.current || target !== currentTarget) return;
    focusesFirstItem.current = false;
    const first = currentTarget.querySelector<HTMLElement>("[role^='menuitem']:not([data-disabled])");
    first?.focus({ preventScroll: true });
  }

  return (
    <DropdownMenu modal={false} open={open} onOpenChange={onOpenChange}>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent align="end" onFocus={focusFirstItem} {...content} />
    </DropdownMenu>
  );
}
