"use client";

import Link from "next/link";
import type { RowAction } from "@/components/content/use-row-actions";
import { ActionMenu } from "@/components/shared/action-menu";
import { Hint } from "@/components/shared/hint";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/utils/cn";

/** A row's actions as icon buttons with tooltips; a disabled one stays focusable and says why. */
export function ActionButtons({ actions, title }: { actions: RowAction[]; title: string }) {
  return actions.map(({ id, label, icon, href, onSelect, pending, disabledReason, destructive }) => (
    <Hint key={id} content={disabledReason ?? label}>
      {href ? (
        <Button asChild variant="ghost" size="icon-sm">
          <Link href={href} aria-label={`${label}: ${title}`}>
            {icon}
          </Link>
        </Button>
      ) : (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`${label}: ${title}`}
          aria-disabled={disabledReason ? true : undefined}
          pending={pending}
          onClick={disabledReason ? undefined : onSelect}
          className={cn(
            destructive && "hover:bg-destructive-soft hover:text-destructive",
            disabledReason && "text-border-strong hover:bg-transparent hover:text-border-strong",
          )}
        >
          {icon}
        </Button>
      )}
    </Hint>
  ));
}

/** A menu of the same actions, for narrow screens and touch. */
export function RowMenu({ actions, title }: { actions: RowAction[]; title: string }) {
  return (
    <ActionMenu
      label={`Actions for ${title}`}
      isBusy={actions.some(({ pending }) => pending)}
      actions={actions.map(({ pending, disabledReason, ...action }) => ({
        ...action,
        note: disabledReason,
        disabled: pending || disabledReason !== undefined,
      }))}
    />
  );
}
