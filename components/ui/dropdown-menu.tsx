"use client";

import { Slot } from "radix-ui";
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  use,
  useState,
} from "react";
import type * as Panel from "@/components/ui/dropdown-menu-panel";
import { late, useLate } from "@/lib/utils/late";

const panel = late(() => import("@/components/ui/dropdown-menu-panel"));

type Menu = {
  loaded: typeof Panel | null;
  isOpen: boolean;
  change: (isOpen: boolean) => void;
  /** The person has come to the trigger. */
  want: () => void;
  trigger: HTMLElement | null;
  setTrigger: (trigger: HTMLElement | null) => void;
};

const MenuContext = createContext<Menu | null>(null);

function useMenu(): Menu {
  const menu = use(MenuContext);
  if (!menu) throw new Error("A part of a menu must be used within a DropdownMenu");
  return menu;
}

/** The trigger is on the page at once. Radix comes with the rest, and takes the trigger over when somebody turns to it. */
export function DropdownMenu({
  onOpenChange,
  children,
}: {
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const [trigger, setTrigger] = useState<HTMLElement | null>(null);
  const loaded = useLate(panel, isWanted || isOpen, () => {
    setWanted(false);
    change(false);
  });

  function change(next: boolean) {
    setOpen(next);
    onOpenChange?.(next);
  }

  const menu = { loaded, isOpen, change, want: () => setWanted(true), trigger, setTrigger };
  return <MenuContext value={menu}>{children}</MenuContext>;
}

/** Opened before Radix is there, the menu shows when it is. */
export function DropdownMenuTrigger({ asChild, ...props }: ComponentProps<"button"> & { asChild?: boolean }) {
  const { loaded, isOpen, change, want, setTrigger } = useMenu();
  const Trigger = asChild ? Slot.Root : "button";

  function press(event: PointerEvent) {
    if (loaded || event.button !== 0 || event.ctrlKey) return;
    // As Radix does: or the press would focus the trigger when the menu is open already, and so close it.
    event.preventDefault();
    change(true);
  }

  function type(event: KeyboardEvent) {
    if (loaded || !["Enter", " ", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    change(true);
  }

  return (
    <Trigger
      type="button"
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onFocus={want}
      onPointerEnter={want}
      onPointerDown={press}
      onKeyDown={type}
      {...props}
      ref={setTrigger}
    />
  );
}

export function DropdownMenuContent(props: ComponentProps<typeof Panel.DropdownMenuContent>) {
  const { loaded, isOpen, change, trigger } = useMenu();
  if (!loaded || !trigger) return null;
  return (
    <loaded.DropdownMenuRoot trigger={trigger} open={isOpen} onOpenChange={change}>
      <loaded.DropdownMenuContent {...props} />
    </loaded.DropdownMenuRoot>
  );
}

export function DropdownMenuItem(props: ComponentProps<typeof Panel.DropdownMenuItem>) {
  const { loaded } = useMenu();
  return loaded ? <loaded.DropdownMenuItem {...props} /> : null;
}

export function DropdownMenuRadioGroup(props: ComponentProps<typeof Panel.DropdownMenuRadioGroup>) {
  const { loaded } = useMenu();
  return loaded ? <loaded.DropdownMenuRadioGroup {...props} /> : null;
}

export function DropdownMenuRadioItem(props: ComponentProps<typeof Panel.DropdownMenuRadioItem>) {
  const { loaded } = useMenu();
  return loaded ? <loaded.DropdownMenuRadioItem {...props} /> : null;
}

export function DropdownMenuLabel(props: ComponentProps<typeof Panel.DropdownMenuLabel>) {
  const { loaded } = useMenu();
  return loaded ? <loaded.DropdownMenuLabel {...props} /> : null;
}

export function DropdownMenuSeparator(props: ComponentProps<typeof Panel.DropdownMenuSeparator>) {
  const { loaded } = useMenu();
  return loaded ? <loaded.DropdownMenuSeparator {...props} /> : null;
}
