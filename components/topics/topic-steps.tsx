import Link from "next/link";
import type { ReactNode } from "react";
import { addressOf } from "@/components/content/library-query";
import { textLink } from "@/components/shared/text-link";
import { PIECE_STEPS, STEP_NAMES } from "@/lib/features/topics/rules";
import type { TopicOut } from "@/lib/features/topics/schema";
import { cn } from "@/lib/utils/cn";

/** On phones the count stands above its name, so that four of any size fit side by side. */
const COUNT = "max-md:flex max-md:min-h-11 max-md:flex-col max-md:justify-center";

/** "3 ideas → 1 outline → 12 texts → 4 live": how far the topic's pieces have come. A count leads to its pieces in the library. */
export function TopicSteps({ topic }: { topic: TopicOut }) {
  // The release before, which may answer while this one is deployed, counts no steps.
  if (topic.contentCount === 0 || !topic.steps) return null;
  return (
    <ol
      aria-label={`Pieces of ${topic.name} by step`}
      className="flex items-center gap-x-1.5 py-1.5 pr-4 pl-11 text-muted-foreground text-sm tabular-nums max-md:grid max-md:w-full max-md:grid-cols-4 max-md:pt-0"
    >
      {PIECE_STEPS.map((step, index) => {
        const count = topic.steps[step];
        const words = STEP_NAMES[step][count === 1 ? "one" : "many"];
        return (
          <li key={step} className="flex gap-x-1.5 whitespace-nowrap">
            {index > 0 ? (
              <span aria-hidden="true" className="max-md:hidden">
                →
              </span>
            ) : null}
            <Count href={count > 0 ? `/content${addressOf({ topicId: topic.id, step })}` : undefined}>
              <span>{count.toLocaleString("en-US")}</span> <span>{words}</span>
              <span className="sr-only"> of {topic.name}</span>
            </Count>
          </li>
        );
      })}
    </ol>
  );
}

function Count({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!href) return <span className={COUNT}>{children}</span>;
  return (
    // Not prefetched: a page may have a hundred of these.
    <Link href={href} prefetch={false} className={cn(COUNT, textLink)}>
      {children}
    </Link>
  );
}
