"use client";

import { type ReactNode, useDeferredValue, useMemo } from "react";
import type { DraftFields } from "@/components/content/draft";
import { SearchPreviews } from "@/components/content/search-previews";
import { type GoTo, SeoScore } from "@/components/content/seo-score";
import { textLink } from "@/components/shared/text-link";
import { Card } from "@/components/ui/card";
import { slugOf, snippet, titleDensity } from "@/lib/features/content/rules";
import type { ContentOut } from "@/lib/features/content/schema";
import type { Review } from "@/lib/features/content/seo/review";
import { useSiteOfProject } from "@/lib/features/sites/client";
import { hostOf } from "@/lib/features/sites/rules";
import { cn } from "@/lib/utils/cn";
import { permalinkSlug, typedSlug } from "@/lib/utils/slug";
import { countWords } from "@/lib/utils/text";

/** Figures of the unsaved text, how a search engine may show it, and its address on the site. */
export function SeoPanel({
  piece,
  fields,
  review,
  onGoTo,
}: {
  piece: ContentOut;
  fields: Pick<DraftFields, "title" | "body" | "slug">;
  review: Review | null;
  onGoTo: GoTo;
}) {
  const title = useDeferredValue(fields.title);
  const body = useDeferredValue(fields.body);
  const shown = snippet(body);
  const { url, yourSite } = useSiteOfProject(piece.projectId);
  const [words, density] = useMemo(() => [countWords(body), titleDensity(title, body)], [title, body]);
  return (
    <div className="max-md:pt-6">
      <Card className="grid md:grid-cols-2 md:divide-x max-md:divide-y">
        <dl className="px-5 py-4">
          <dt className="text-muted-foreground text-sm">Word count</dt>
          <dd className="text-xl tabular-nums">{words.toLocaleString("en-US")}</dd>
        </dl>
        <dl className="px-5 py-4">
          <dt className="text-muted-foreground text-sm">Keyword density</dt>
          <dd>
            <span className="block text-xl tabular-nums">{density}%</span>
            <span className="text-muted-foreground text-sm">of the title phrase</span>
          </dd>
        </dl>
      </Card>
      <SeoScore review={review} onGoTo={onGoTo} />
      <h2 className="mt-8 mb-3 font-medium text-md">Snippet preview</h2>
      <Card className="max-w-[640px] p-5 [overflow-wrap:anywhere]">
        <p className="text-muted-foreground text-sm">
          {hostOf(piece.wpPermalink ?? url) ?? yourSite} › <bdi>{slugOf(title)}</bdi>
        </p>
        <p dir="auto" className="mt-0.5 mb-1 text-info text-lg">
          {title}
        </p>
        {/* An ellipsis in CSS is not part of the text. */}
        <p dir="auto" className={cn("text-muted-foreground", shown.length < body.length && "after:content-['…']")}>
          {shown || "The first 160 characters of the body stand here."}
        </p>
      </Card>
      <SearchPreviews
        review={review}
        host={hostOf(piece.wpPermalink ?? url) ?? yourSite}
        slug={typedSlug(fields.slug) || permalinkSlug(title)}
        title={title}
      />
      <Address piece={piece} slug={typedSlug(fields.slug) || permalinkSlug(title)} site={yourSite} />
    </div>
  );
}

/** Unlike the snippet's slug, this is the one that publishing requests; an existing post keeps its address. */
function Address({ piece: { wpPermalink, wpPostId }, slug, site }: { piece: ContentOut; slug: string; site: string }) {
  if (wpPermalink) {
    return (
      <AddressSection site={site} note="It stays until you change the slug, whatever the title is by then.">
        <a href={wpPermalink} target="_blank" rel="noreferrer" className={textLink}>
          {wpPermalink.replace(/^https?:\/\//, "")}
        </a>
      </AddressSection>
    );
  }
  if (wpPostId) return <AddressSection site={site} note="The post keeps the address it has there." />;
  if (slug === "")
    return <AddressSection site={site} note="The title has no letters to make one from: WordPress chooses one." />;
  return (
    <AddressSection site={site} note="Publishing asks for this ending. WordPress adds a number if another post has it.">
      <bdi>{slug}</bdi>
    </AddressSection>
  );
}

function AddressSection({ site, note, children }: { site: string; note: string; children?: ReactNode }) {
  return (
    <section aria-labelledby="site-address" className="mt-8 max-w-[640px]">
      <h2 id="site-address" className="mb-1 font-medium text-md">
        Address on <bdi>{site}</bdi>
      </h2>
      {children ? <p className="[overflow-wrap:anywhere]">{children}</p> : null}
      <p className="text-muted-foreground text-sm">{note}</p>
    </section>
  );
}
