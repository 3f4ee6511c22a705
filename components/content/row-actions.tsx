"use client";

import { Ellipsis } from "lucide-react";
import Link from "next/link";
import type { RowAction } from "@/components/content/use-row-actions";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { Spinner } from "@/components/ui/spinner";
import { Tooltip } from "@/components/ui/tooltip";
import { cn } from "@/lib/utils/cn";

/** The actions of a row as icons with tooltips; a refused one stays reachable and says why. */
export function ActionButtons({ actions, title }: { actions: RowAction[]; title: string }) {
  return actions.map(({ id, label, icon, href, onSelect, pending, refused, destructive }) => (
    <Tooltip key={id} content={refused ?? label}>
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
          aria-disabled={refused ? true : undefined}
          pending={pending}
          onClick={refused ? undefined : onSelect}
          className={cn(
            destructive && "hover:bg-destructive-soft hover:text-destructive",
            refused && "text-border-strong hover:bg-transparent hover:text-border-strong",
          )}
        >
          {icon}
        </Button>
      )}
    </Tooltip>
  ));
}

/** The same actions as a menu, for narrow windows and touch. */
export function ActionMenu({ actions, title }: { actions: RowAction[]; title: string }) {
  const isBusy = actions.some(({ pending }) => pending);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${title}`} aria-busy={isBusy}>
          {isBusy ? <Spinner /> : <Ellipsis aria-hidden="true" />}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {actions.map(({ id, label, icon, href, onSelect, pending, refused, destructive }) =>
          href ? (
            <DropdownMenuItem key={id} asChild>
              <Link href={href}>
                {icon}
                {label}
              </Link>
            </DropdownMenuItem>
          ) : (
            <DropdownMenuItem
              key={id}
              variant={destructive ? "destructive" : "default"}
              disabled={pending || refused !== undefined}
              onSelect={onSelect}
            >
              {icon}
              <span>
                {label}
                {refused ? <span className="block text-xs">{refused}</span> : null}
              </span>
            </DropdownMenuItem>
          ),
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
