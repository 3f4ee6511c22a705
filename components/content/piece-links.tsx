"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, type LucideIcon } from "lucide-react";
import Link from "next/link";
import { Hint } from "@/components/shared/hint";
import { Button } from "@/components/ui/button";
import { neighboursQuery } from "@/lib/features/content/client";
import type { Neighbours } from "@/lib/features/content/schema";
import { cn } from "@/lib/utils/cn";

/** Links to what the topic lists before and after a piece. */
export function PieceLinks({ pieceId, className }: { pieceId: string; className?: string }) {
  const { data } = useQuery(neighboursQuery(pieceId));
  if (!data?.previous && !data?.next) return null;
  return (
    <nav aria-label="Pieces of this topic" className={cn("flex", className)}>
      <PieceLink name="Previous piece" icon={ChevronLeft} to={data.previous} />
      <PieceLink name="Next piece" icon={ChevronRight} to={data.next} />
    </nav>
  );
}

function PieceLink({ name, icon: Icon, to }: { name: string; icon: LucideIcon; to: Neighbours["next"] }) {
  if (!to) {
    // At an end it keeps its place, so that the other link stays where it is.
    return (
      <span className="grid size-(--control-sm) place-items-center text-border-strong">
        <Icon aria-hidden="true" strokeWidth={1.75} className="size-4" />
      </span>
    );
  }
  return (
    <Hint
      content={
        <span dir="auto" className="wrap-anywhere">
          {to.title}
        </span>
      }
    >
      <Button asChild variant="ghost" size="icon-sm">
        <Link href={`/content/${to.id}`} aria-label={`${name}: ${to.title}`}>
          <Icon aria-hidden="true" />
        </Link>
      </Button>
    </Hint>
  );
}
