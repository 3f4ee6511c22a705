import type { Browser, Page } from "@playwright/test";
import type { Bench } from "@/tests/bench/benchmark";
import { type User, watchRequests, withPage } from "@/tests/bench/chromium";
import { MOST_PIECES, MOST_TOPICS } from "@/tests/bench/data-set";
import { nextClosed } from "@/tests/bench/library-round";
import { countNodes } from "@/tests/bench/vitals";

export type NodeCount = { screen: string; when: string; nodes: number };

/** Projects to open in turn, including the two large ones. */
const OPENED = 5;
/** Most screens to scroll down, in case a page grows as fast as it is read. */
const SCROLLS = 200;

type Watched = { page: Page; quiet: () => Promise<void>; note: (when: string) => Promise<void> };

/** Counts the DOM nodes of the screens at D1; `projects` are its projects, newest first. */
export async function countAllNodes(browser: Browser, bench: Bench, user: User, projects: number[]) {
  const counts: NodeCount[] = [];
  const look = (screen: string, path: string, work: (watched: Watched) => Promise<void>) =>
    withPage(browser, bench, user, async (page) => {
      const quiet = watchRequests(page);
      const note = async (when: string) => {
        counts.push({ screen, when, nodes: await countNodes(page) });
      };
      await page.goto(path, { waitUntil: "load" });
      await quiet();
      await note("after load");
      await work({ page, quiet, note });
    });

  await look("/content", "/content", openFive);
  const heavy = [
    ["most pieces", projects[MOST_PIECES - 1]],
    ["most topics", projects[MOST_TOPICS - 1]],
  ] as const;
  for (const [which, id] of heavy) {
    await look(`/content, project of ${which}`, `/content?projectId=${id}`, scrollToEnd);
    await look(`/projects/{${which}}`, `/projects/${id}`, openTopics);
    await look(`/wp-publishing/{${which}}`, `/wp-publishing/${id}`, bothTabs);
  }
  for (const path of ["/", "/wordpress-publishing"]) await look(path, path, scrollToEnd);
  return counts;
}

async function openFive(watched: Watched): Promise<void> {
  const { page, quiet, note } = watched;
  for (let opened = 0; opened < OPENED; opened++) {
    await (await nextClosed(page)).click();
    await quiet();
  }
  await note(`${OPENED} more projects opened`);
  await scrollToEnd(watched);
}

/** Topics are listed newest first: the one with 1,500 pieces comes first in its project. */
async function openTopics(watched: Watched): Promise<void> {
  const { page, quiet, note } = watched;
  for (let opened = 0; opened < OPENED; opened++) {
    await (await nextClosed(page)).click();
    await quiet();
  }
  await note(`${OPENED} topics opened`);
  await scrollToEnd(watched);
}

async function bothTabs(watched: Watched): Promise<void> {
  await scrollToEnd(watched);
  await watched.page.getByRole("tab", { name: "All Content" }).click();
  await watched.quiet();
  await watched.note("All Content");
}

/** Scrolls one screen at a time, so that lazy content loads. */
async function scrollToEnd({ page, quiet, note }: Watched): Promise<void> {
  for (let at = 0; at < SCROLLS; at++) {
    const isEnd = await page.evaluate(() => {
      window.scrollBy(0, window.innerHeight);
      return window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 2;
    });
    await page.waitForTimeout(50);
    if (isEnd) break;
  }
  await quiet();
  await note("scrolled to the end");
}
