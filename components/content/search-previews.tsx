"use client";

import { Card } from "@/components/ui/card";
import type { Review } from "@/lib/features/content/seo/review";

/** About how a search engine shows the piece, on a desktop and on a phone, from what readers see of the text. */
export function SearchPreviews({
  review,
  host,
  slug,
  title,
}: {
  review: Review | null;
  host: string;
  slug: string;
  title: string;
}) {
  const shown = review && "shown" in review ? review.shown : null;
  return (
    <section aria-labelledby="search-previews" className="mt-8">
      <h2 id="search-previews" className="mb-1 font-medium text-md">
        In a search engine
      </h2>
      <p className="mb-3 text-muted-foreground text-sm">
        About as wide as there. Search engines may choose another passage.
      </p>
      <div className="grid grid-cols-1 gap-4">
        <Result name="Desktop" width="max-w-[640px]" lines="line-clamp-1" {...{ host, slug, title, shown }} />
        <Result name="Phone" width="max-w-[376px]" lines="line-clamp-2" {...{ host, slug, title, shown }} />
      </div>
    </section>
  );
}

function Result({
  name,
  width,
  lines,
  host,
  slug,
  title,
  shown,
}: {
  name: string;
  width: string;
  lines: string;
  host: string;
  slug: string;
  title: string;
  shown: { title: string; description: string } | null;
}) {
  // What is cut here, as it is there, is whole in its title.
  return (
    <figure className={width}>
      <figcaption className="mb-1 text-muted-foreground text-sm">{name}</figcaption>
      <Card className="p-5 [overflow-wrap:anywhere]">
        <p title={`${host} › ${slug}`} className="truncate text-muted-foreground text-sm">
          {host} › <bdi>{slug}</bdi>
        </p>
        <p
          dir="auto"
          title={shown?.title ?? title}
          className={`mt-0.5 mb-1 text-[20px] text-info leading-[26px] ${lines}`}
        >
          {shown?.title ?? title}
        </p>
        <p
          dir="auto"
          title={shown?.description}
          className="line-clamp-2 text-[14px] text-muted-foreground leading-[22px]"
        >
          {shown?.description || "The text has no words to show yet."}
        </p>
      </Card>
    </figure>
  );
}
