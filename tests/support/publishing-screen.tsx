import { screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { useState } from "react";
import { AuthProvider } from "@/components/account/auth-provider";
import { ProjectPublishing } from "@/components/publishing/project-publishing";
import { SiteQuestionDialog } from "@/components/publishing/site-question";
import { FollowWork } from "@/components/work/follow-work";
import type { ContentSummary } from "@/lib/features/content/schema";
import type { PublishingJobOut, PublishingResultOut } from "@/lib/features/publishing/schema";
import { aSummary, aTopic } from "@/tests/support/pieces";
import { aJob, JOB_ID } from "@/tests/support/publishing-jobs";
import { mockApi, renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

/** A user with a connected site. */
export const USER = someUser({
  wordpressUrl: "https://blog.example.com",
  wordpressUsername: "editor",
  hasWordpressPassword: true,
});
/** Three publishable pieces of two topics, and two others. */
export const PIECES = [
  aSummary({ id: "a", title: "Sowing" }),
  aSummary({ id: "b", title: "Watering", status: "wp_published", wpPermalink: "https://blog.example.com/watering" }),
  aSummary({ id: "c", title: "Turning", topicId: 8, status: "wp_failed" }),
  aSummary({ id: "d", title: "A title alone", isTitleOnly: true, hasBody: false }),
  aSummary({ id: "e", title: "A blank body", hasBody: false }),
];
export const TOPICS = [aTopic({ name: "Seeds" }), aTopic({ id: 8, name: "Compost", description: "" })];

/** The server's latest job, which a test sets; a start makes it `started`. */
export function jobServer(started: PublishingJobOut = aJob()) {
  const server = {
    job: null as PublishingJobOut | null,
    engineAwaySince: null as string | null,
    results: [] as PublishingResultOut[],
    table: {
      "GET /api/projects/3/publishing-jobs": () => ({
        json: { job: server.job, engineAwaySince: server.engineAwaySince },
      }),
      "POST /api/projects/3/publishing-jobs": () => {
        server.job = started;
        return { status: 202, json: { message: "Publishing.", jobId: started.id, joined: false } };
      },
      [`GET /api/publishing-jobs/${JOB_ID}/results`]: () => ({ json: server.results }),
      [`GET /api/publishing-jobs/${JOB_ID}/results?status=failed`]: () => ({
        json: server.results.filter(({ status }) => status === "failed"),
      }),
    },
  };
  return server;
}

export type Table = Parameters<typeof mockApi>[0];

/** The API of one project, with overrides. */
export function answer(table: Table = {}, pieces: ContentSummary[] = PIECES) {
  return mockApi({
    "GET /api/user": () => ({ json: USER }),
    "GET /api/projects/3": () => ({ json: { id: 3, title: "Garden", description: null, createdAt: "2026-11-03" } }),
    "GET /api/projects/3/content?limit=1000": () => ({ json: pieces }),
    "GET /api/projects/3/topics?description=300": () => ({ json: TOPICS }),
    "GET /api/projects/3/publishing-jobs": () => ({ json: { job: null, engineAwaySince: null } }),
    "GET /api/sites": () => ({ json: [] }),
    "GET /api/wordpress/categories": () => ({ json: [{ id: 21, name: "Guides" }] }),
    ...table,
  });
}

/** The screen in a page that can be left and revisited. */
export function Visited({ user = USER }: { user?: typeof USER }) {
  const [isThere, setThere] = useState(true);
  return (
    <AuthProvider user={user}>
      <button type="button" onClick={() => setThere(!isThere)}>
        Go
      </button>
      {isThere ? <ProjectPublishing projectId={3} /> : null}
      <FollowWork />
      <SiteQuestionDialog />
    </AuthProvider>
  );
}

/** Opens the screen and waits for its content. */
export async function openPublishing(table: Table = {}, pieces: ContentSummary[] = PIECES) {
  const calls = answer(table, pieces);
  const { user, client } = renderScreen(<Visited />);
  await screen.findByRole("button", { name: "Publish All Content" });
  return { user, client, calls, posts: () => calls.filter(({ method }) => method === "POST") };
}

export const rowOf = (title: string) => within(screen.getByRole("link", { name: title }).closest("tr") as HTMLElement);

/** Selects the pieces and confirms. */
export async function publishSelected(user: UserEvent, ...titles: string[]) {
  for (const title of titles) await user.click(screen.getByRole("checkbox", { name: `Select “${title}”` }));
  await user.click(screen.getByRole("button", { name: `Publish Selected (${titles.length})` }));
  await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Publish Selected" }));
}
