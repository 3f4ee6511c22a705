import type { ComponentProps } from "react";
import { EmptyState } from "@/components/shared/empty-state";

/** A page that is only a message, such as "not found". */
export function MessagePage({ heading, ...message }: { heading: string } & ComponentProps<typeof EmptyState>) {
  return (
    <>
      <h1 className="mb-8 font-medium font-serif text-xl tracking-[-0.011em]">{heading}</h1>
      <EmptyState {...message} />
    </>
  );
}
