"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useReadyPress } from "@/components/content/readiness";
import { BulkReadyList, NewAddresses, useBulkReadiness } from "@/components/publishing/bulk-readiness";
import { ProjectRenderingChanges } from "@/components/publishing/project-rendering-changes";
import {
  type AmbiguousTopic,
  ambiguousNames,
  type TopicNames,
  topicsWithoutCategory,
} from "@/components/publishing/topic-categories";
import { TopicCategoriesChoice } from "@/components/publishing/topic-categories-choice";
import { ConfirmPanel } from "@/components/shared/confirm-panel";
import { Spinner } from "@/components/ui/spinner";
import type { ContentSummary } from "@/lib/features/content/schema";
import { isLive } from "@/lib/features/content/states";
import { categoriesQuery } from "@/lib/features/publishing/client";
import type { StartPublishingInput } from "@/lib/features/publishing/schema";
import { isKnown, type ProjectSite, useSiteOfProject } from "@/lib/features/sites/client";
import { comparisonKey } from "@/lib/utils/text";

type Verb = "publish_all" | "publish_selected" | "update_all";

/** Topics that are asked about; the others get what programs take. */
const MAX_TOPICS = 20;

/**
 * Loaded when components/publishing/publish-dialog.tsx is first opened. It does not wait for the site's categories: nothing is
 * asked about them until they are known.
 */
export function PublishPanel({
  projectId,
  verb,
  pieces,
  all,
  topicNameOf,
  open,
  onOpenChange,
  onConfirm,
}: {
  projectId: number;
  verb: Verb;
  pieces: ContentSummary[];
  /** The project's publishable pieces. */
  all: ContentSummary[];
  topicNameOf: TopicNames;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** `held`: pieces that are left out because they are not ready. */
  onConfirm: (categories: StartPublishingInput["categories"], held: string[]) => void;
}) {
  const site = useSiteOfProject(projectId, open);
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map());
  const { topics, isLoading } = useAmbiguousTopics(open, verb, pieces, { all, topicNameOf, site });
  const asked = topics
    .slice(0, MAX_TOPICS)
    .map((topic) => ({ ...topic, categoryId: categoryOf(topic, chosen.get(topic.id)) }));
  const live = pieces.filter(isLive);
  const newer = useMemo(() => pieces.filter(({ isNewerHere }) => isNewerHere), [pieces]);
  const readiness = useBulkReadiness(pieces, open && verb !== "update_all");
  const held = readiness.held.map(({ id }) => id);
  const question = questionOf(verb, pieces.length, site);
  const ready = pieces.length - held.length;
  const press = useReadyPress({ isPending: readiness.isPending, holding: held.length }, () => confirm([]));

  function confirm(without: string[]) {
    const categories = asked.map(({ id, categoryId }) => ({ topicId: id, categoryId }));
    onConfirm(categories.length > 0 ? categories : undefined, without);
  }

  return (
    <ConfirmPanel
      open={open}
      onOpenChange={(isOpen) => {
        press.forget();
        onOpenChange(isOpen);
      }}
      {...question}
      confirmLabel={held.length > 0 ? "Publish anyway" : question.confirmLabel}
      pending={press.isWaiting}
      alternative={
        held.length > 0 && ready > 0
          ? {
              label: `Publish those that are ready (${ready.toLocaleString("en-US")} of ${pieces.length.toLocaleString("en-US")})`,
              onSelect: () => confirm(held),
            }
          : undefined
      }
      body={
        <>
          {isLoading ? (
            <p role="status" className="flex items-center gap-2 text-muted-foreground">
              <Spinner /> Loading the categories of {site.yourSite}
            </p>
          ) : null}
          {asked.length > 0 ? (
            <TopicCategoriesChoice
              topics={asked}
              more={topics.length - asked.length}
              onChoose={(topicId, categoryId) => setChosen(new Map(chosen).set(topicId, categoryId))}
            />
          ) : null}
          <BulkReadyList {...readiness} />
          <NewAddresses pieces={newer} />
          {live.length > 0 ? (
            <ProjectRenderingChanges
              projectId={projectId}
              ids={verb === "publish_selected" ? live.map(({ id }) => id) : undefined}
            />
          ) : null}
        </>
      }
      onConfirm={press.press}
    />
  );
}

/** The chosen category, else what programs take. */
function categoryOf({ categories: [first, ...others] }: AmbiguousTopic, chosen: string | undefined): string {
  return others.find(({ id }) => id === chosen)?.id ?? first?.id ?? "";
}

/** The pieces' topics whose names several of the site's categories have; none if those cannot be read. */
function useAmbiguousTopics(
  open: boolean,
  verb: Verb,
  pieces: ContentSummary[],
  project: { all: ContentSummary[]; topicNameOf: TopicNames; site: ProjectSite },
): { topics: AmbiguousTopic[]; isLoading: boolean } {
  const isAsked = open && verb !== "update_all";
  const unplaced = isAsked ? topicsWithoutCategory(pieces, { ...project, byName: verb === "publish_selected" }) : [];
  const { data = [], isLoading } = useQuery({
    ...categoriesQuery(project.site.otherId),
    enabled: unplaced.length > 0 && isKnown(project.site),
  });
  const names = ambiguousNames(data);
  const topics = unplaced.flatMap((topic) => {
    const categories = names.get(comparisonKey(topic.name));
    return categories ? [{ ...topic, categories }] : [];
  });
  return { topics, isLoading };
}

function questionOf(verb: Verb, pieces: number, { name: site, yourSite }: ProjectSite) {
  const categories = `each topic becomes a category on ${yourSite} if it is not there yet.`;
  const count = pieces.toLocaleString("en-US");
  const noun = pieces === 1 ? "piece" : "pieces";
  switch (verb) {
    case "publish_all":
      return {
        title: "Publish all content?",
        description: `${pieces === 1 ? "The only publishable piece" : `All ${count} publishable pieces`} of this project will be published on ${site}. A piece stays in the category it has there; for the others ${categories}`,
        confirmLabel: "Publish All",
      };
    case "publish_selected":
      return {
        title: "Publish selected content?",
        description: `${count} selected ${noun} will be published on ${site}. Each goes into the category of its topic, also when it is in another one there: ${categories}`,
        confirmLabel: "Publish Selected",
      };
    case "update_all":
      return {
        title: pieces === 1 ? "Update 1 changed post?" : `Update ${count} changed posts?`,
        description: `${count} ${noun} whose text is newer here will be updated on ${site}. Nothing new is published, and a post that was edited there is left as it is.`,
        confirmLabel: "Update",
      };
  }
}
