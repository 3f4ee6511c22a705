"use client";

import Link from "next/link";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { ActionMenu } from "@/components/shared/action-menu";
import { afterRender } from "@/components/shared/focus-return";
import { ReasonButton } from "@/components/shared/reason-button";
import { Button } from "@/components/ui/button";
import { LEADS_BACK } from "@/lib/client/screen-memory";
import { cn } from "@/lib/utils/cn";

/** An action of a page: a link with `href`, else a button. */
export type PageAction = {
  /** Needed if the label changes, so that the button stays the same element and keeps the focus. */
  id?: string;
  label: string;
  icon?: ReactNode;
  variant?: "default" | "outline" | "ghost";
  href?: string;
  /** True if the link leads back to where the user came from. */
  leadsBack?: boolean;
  onSelect?: () => void;
  type?: "submit";
  pending?: boolean;
  /** Disables the action, which then takes no focus; a string says why. */
  disabled?: boolean | string;
  /** Keeps the button focusable but inert, and says why. */
  disabledReason?: string | false;
  /** Shown as a button on phones; by default the last. */
  isMain?: boolean;
  /** True if wide screens show it elsewhere. */
  phoneOnly?: boolean;
  /** Moves the action into the menu on wide screens too. */
  isMinor?: boolean;
};

/**
 * The actions of a page: a row of buttons; on phones a bar at the bottom with the main one and a menu of the others. CSS
 * chooses between the two, so that the server's HTML is right before scripts run.
 */
export function PageActions({
  actions,
  status,
  isInFlow = false,
  className,
}: {
  actions: PageAction[];
  /** Shown beside the buttons; on phones above them. */
  status?: ReactNode;
  /** True if the bar of phones is not to be fixed. */
  isInFlow?: boolean;
  className?: string;
}) {
  const main = mainOf(actions);
  const others = actions.filter((action) => action !== main);
  const minor = others.filter(({ isMinor }) => isMinor);
  const bar = useKeepFocus(actions);
  return (
    <div
      ref={bar}
      className={cn("flex flex-wrap items-center gap-2", isInFlow ? "max-md:w-full" : "page-bar", className)}
    >
      {actions.map((action) =>
        action === main ? (
          <ActionButton
            key={keyOf(action)}
            action={action}
            className={cn(
              "max-md:h-auto max-md:min-h-(--control) max-md:min-w-0 max-md:flex-1 max-md:whitespace-normal",
              action.isMain && action.variant !== "outline" && !action.disabledReason && PRIMARY_ON_PHONES,
              action.phoneOnly && "md:hidden",
            )}
          />
        ) : action.phoneOnly || action.isMinor ? null : (
          <ActionButton
            key={keyOf(action)}
            action={action}
            // Where the row is below the title, its first words begin where the title does.
            className={cn("max-md:hidden", action.variant === "ghost" && "first:-ml-3.5")}
          />
        ),
      )}
      {minor.length > 0 ? <MoreActions actions={minor} className="max-md:hidden" /> : null}
      {others.length > 0 ? <MoreActions actions={others} className="md:hidden" /> : null}
      {status}
    </div>
  );
}

/** If the focused button becomes disabled or moves into the menu, the first visible action gets the focus. */
function useKeepFocus(actions: PageAction[]): RefObject<HTMLDivElement | null> {
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of state may have lost the focus.
  useEffect(() => {
    if (!isInBar.current) return;
    // Meanwhile the user may have gone elsewhere, such as into a dialog, whose end loses the focus for a moment too.
    afterRender(() => {
      if (isInBar.current) firstVisible(bar.current)?.focus();
    });
  }, [state]);
  return bar;
}

function firstVisible(bar: HTMLElement | null): HTMLElement | undefined {
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
  const { label, icon, variant, href, leadsBack, onSelect, type, pending, disabled, disabledReason } = action;
  if (href !== undefined) {
    return (
      <Button asChild variant={variant} className={className}>
        <Link {...(leadsBack ? LEADS_BACK : {})} href={href}>
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
      disabledReason={disabledReason}
      pending={pending}
      onClick={onSelect}
    >
      {icon}
      {label}
    </ReasonButton>
  );
}

/** `className` says on which screens. */
function MoreActions({ actions, className }: { actions: PageAction[]; className: string }) {
  return (
    <ActionMenu
      label="More actions"
      isBusy={actions.some(({ pending }) => pending)}
      variant="outline"
      size="icon"
      className={className}
      menuClassName={className}
      actions={actions.map(({ disabled, disabledReason, pending, ...action }) => ({
        ...action,
        note: disabledReason || (typeof disabled === "string" && disabled),
        inert: Boolean(disabled || disabledReason || pending),
      }))}
    />
  );
}
