import { expect, type Page } from "@playwright/test";
import type { PublishingJobOut } from "@/lib/features/publishing/schema";
import { aJob, aResult, endedJob, UNCERTAIN, UNREACHABLE } from "@/tests/support/publishing-jobs";
import type { Showcase } from "@/tests/support/showcase";

/** Has the page's calls for the latest publishing job, and for its results, answered with this job. */
async function answerJob(page: Page, job: PublishingJobOut): Promise<void> {
  await page.route(/\/publishing-jobs$/, (route) => route.fulfill({ json: { job, engineAwaySince: null } }));
  await page.route(/\/publishing-jobs\/[^/]+\/results/, (route) => {
    const onlyFailed = route.request().url().endsWith("status=failed");
    return route.fulfill({ json: onlyFailed ? FAILED : [...DONE, ...FAILED] });
  });
}

const LONG = "Where the water of a whole street goes when the ground is frozen and nobody has thought of it, part";
const DONE = Array.from({ length: 12 }, (_, n) =>
  aResult({
    contentId: `done-${n}`,
    title: n % 3 ? `How deep to dig, part ${n}` : `${LONG} ${n}`,
    unchanged: n % 2 === 0,
    wpPermalink: `https://blog.example.com/part-${n}`,
  }),
);
const FAILED = Array.from({ length: 9 }, (_, n) =>
  aResult({
    contentId: `failed-${n}`,
    title: n % 3 ? `How wide to dig, part ${n}` : `${LONG} ${n + 20}`,
    status: "failed",
    error:
      "The post was edited on your WordPress site since it was last published. Use Update on its row to overwrite it.",
    type: "REMOTE_CHANGED",
  }),
);

/** The publishing screen with a job in each of its states. */
export const JOB_SCREENS = [
  {
    name: "wp-publishing-running",
    open: async (page: Page, { projectId }: Showcase) => {
      await answerJob(page, aJob({ totalItems: 120, completedItems: 57, failedItems: 2, ...UNREACHABLE }));
      await page.goto(`/wp-publishing/${projectId}`);
      await expect(page.getByText("57 of 120 published, 2 of 120 failed")).toBeVisible();
    },
  },
  {
    name: "wp-publishing-failures",
    open: async (page: Page, { projectId }: Showcase) => {
      await answerJob(page, endedJob({ totalItems: 120, completedItems: 111, unchangedItems: 57, failedItems: 9 }));
      await page.goto(`/wp-publishing/${projectId}`);
      await expect(page.getByText("and 4 more")).toBeVisible();
    },
  },
  {
    name: "wp-publishing-results",
    open: async (page: Page, { projectId }: Showcase) => {
      await answerJob(page, endedJob({ totalItems: 120, completedItems: 111, failedItems: 9 }));
      await page.goto(`/wp-publishing/${projectId}`);
      await page.getByRole("button", { name: "Results" }).click();
      await expect(page.getByRole("dialog").getByRole("link").first()).toBeVisible();
    },
  },
  {
    name: "wp-publishing-question",
    open: async (page: Page, { projectId }: Showcase) => {
      await answerJob(page, endedJob({ status: "failed", completedItems: 0, failedItems: 3, ...UNCERTAIN }));
      await page.goto(`/wp-publishing/${projectId}`);
      await expect(page.getByText("Which site is this?")).toBeVisible();
    },
  },
];
