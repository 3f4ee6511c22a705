import { expect, type Page } from "@playwright/test";

/** The texts this browser keeps that the server does not have (lib/client/local-copies.ts), as JSON. */
function copies(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open("content-planner");
        // Before the app has made its store: there are none, and the app makes it itself.
        opening.onupgradeneeded = () => opening.transaction?.abort();
        opening.onerror = () => resolve([]);
        opening.onsuccess = () => {
          const all = opening.result.transaction("copies").objectStore("copies").getAll();
          all.onsuccess = () => {
            opening.result.close();
            resolve(all.result.map((copy) => JSON.stringify(copy)));
          };
        };
      }),
  );
}

/** Waits until this browser keeps exactly so many. */
export async function expectCopies(page: Page, count: number): Promise<void> {
  await expect.poll(async () => (await copies(page)).length).toBe(count);
}

/** Waits until one of them has these words. */
export async function expectCopied(page: Page, words: string): Promise<void> {
  await expect.poll(() => isCopied(page, words)).toBe(true);
}

export async function isCopied(page: Page, words: string): Promise<boolean> {
  return (await copies(page)).some((copy) => copy.includes(words));
}
