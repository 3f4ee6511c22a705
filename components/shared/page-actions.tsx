"use client";

import { Ellipsis } from "lucide-react";
import Link from "next/link";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { ReasonButton } from "@/components/shared/reason-button";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { onceDrawn } from "@/components/ui/focus-return";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/utils/cn";

/** Something that can be done on a page: a link with `href`, else a button. */
export type PageAction = {
  /** Needed where the label changes: the button is the same and keeps the focus. */
  id?: string;
  label: string;
  icon?: ReactNode;
  variant?: "default" | "outline" | "ghost";
  href?: string;
  onSelect?: () => void;
  type?: "submit";
  pending?: boolean;
  /** Takes no focus; a sentence says why. */
  disabled?: boolean | string;
  /** Can be come to, does nothing and says why. */
  refused?: string | false;
  /** The one that stays in reach on phones. Without any it is the last. */
  isMain?: boolean;
  /** On wide screens it stands elsewhere. */
  phoneOnly?: boolean;
};

/**
 * What can be done on a page: buttons in a row; on phones a bar at the lower edge with the main one and a menu of the
 * others. Which of the two shows is left to the style sheet, so that the server's page is right before any script.
 */
export function PageActions({
  actions,
  status,
  className,
}: {
  actions: PageAction[];
  /** A sentence beside the buttons; in the bar above them. */
  status?: ReactNode;
  className?: string;
}) {
  const main = mainOf(actions);
  const others = actions.filter((action) => action !== main);
  const bar = useFocusKept(actions);
  return (
    <div ref={bar} className={cn("page-bar flex flex-wrap items-center gap-2", className)}>
      {actions.map((action) =>
        action === main ? (
          <ActionButton
            key={keyOf(action)}
            action={action}
            className={cn(
              "max-md:h-auto max-md:min-h-(--control) max-md:min-w-0 max-md:flex-1 max-md:whitespace-normal",
              action.isMain && !action.refused && PRIMARY_ON_PHONES,
              action.phoneOnly && "md:hidden",
            )}
          />
        ) : action.phoneOnly ? null : (
          <ActionButton key={keyOf(action)} action={action} className="max-md:hidden" />
        ),
      )}
      {others.length > 0 ? <MoreActions actions={others} /> : null}
      {status}
    </div>
  );
}

/** A focused button may become disabled or move into the menu; the first visible action then gets the focus. */
function useFocusKept(actions: PageAction[]): RefObject<HTMLDivElement | null> {
  const bar = useRef<HTMLDivElement>(null);
  const isInBar = useRef(false);
  useEffect(() => {
    const listen = ({ target }: FocusEvent) => {
      isInBar.current = bar.current?.contains(target as Node) ?? false;
    };
    document.addEventListener("focusin", listen);
    return () => document.removeEventListener("focusin", listen);
  }, []);
  const state = actions
    .map((action) => `${keyOf(action)} ${Boolean(action.disabled)} ${Boolean(action.isMain)}`)
    .join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state is what may have taken the focus away.
  useEffect(() => {
    if (isInBar.current) onceDrawn(() => firstShown(bar.current)?.focus());
  }, [state]);
  return bar;
}

function firstShown(bar: HTMLElement | null): HTMLElement | undefined {
  const targets = bar?.querySelectorAll<HTMLElement>("a[href], button:enabled") ?? [];
  return [...targets].find(({ offsetParent }) => offsetParent !== null);
}

const PRIMARY_ON_PHONES =
  "max-md:border-transparent max-md:bg-primary max-md:text-primary-foreground max-md:hover:bg-primary-hover max-md:active:bg-primary-active max-md:disabled:bg-muted max-md:disabled:text-muted-foreground";

function mainOf(actions: PageAction[]): PageAction | undefined {
  return actions.find(({ isMain }) => isMain) ?? actions.at(-1);
}

function keyOf({ id, label }: PageAction): string {
  return id ?? label;
}

function ActionButton({ action, className }: { action: PageAction; className: string }) {
  const { label, icon, variant, href, onSelect, type, pending, disabled, refused } = action;
  if (href !== undefined) {
    return (
      <Button asChild variant={variant} className={className}>
        <Link href={href}>
          {icon}
          {label}
        </Link>
      </Button>
    );
  }
  return (
    <ReasonButton
      type={type}
      variant={variant}
      className={className}
      disabled={Boolean(disabled)}
      title={typeof disabled === "string" ? disabled : undefined}
      refused={refused}
      pending={pending}
      onClick={onSelect}
    >
      {icon}
      {label}
    </ReasonButton>
  );
}

function MoreActions({ actions }: { actions: PageAction[] }) {
  const isBusy = actions.some(({ pending }) => pending);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="outline" size="icon" className="md:hidden" aria-label="More actions" aria-busy={isBusy}>
          {isBusy ? <Spinner className="ml-0!" /> : <Ellipsis aria-hidden="true" className="ml-0!" />}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="md:hidden">
        {actions.map((action) => (
          <MenuEntry key={keyOf(action)} {...action} />
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** One that cannot be done now can still be come to, and says why. */
function MenuEntry({ label, icon, href, onSelect, pending, disabled, refused }: PageAction) {
  if (href !== undefined) {
    return (
      <DropdownMenuItem asChild>
        <Link href={href}>
          {icon}
          {label}
        </Link>
      </DropdownMenuItem>
    );
  }
  const isRefused = Boolean(disabled || refused || pending);
  const reason = refused || (typeof disabled === "string" && disabled);
  return (
    <DropdownMenuItem
      aria-disabled={isRefused || undefined}
      className={cn(isRefused && "text-muted-foreground")}
      onSelect={isRefused ? (event) => event.preventDefault() : onSelect}
    >
      {icon}
      <span>
        {label}
        {reason ? <span className="block text-xs">{reason}</span> : null}
      </span>
    </DropdownMenuItem>
  );
}
