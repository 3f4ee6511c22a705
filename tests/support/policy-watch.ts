import type { Page } from "@playwright/test";

/** Breaches of a page's policy, told by the browser, also before the page's own scripts run, and on its console. */
export async function watchPolicy(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction("__violated", (what: string) => violations.push(what));
  await page.addInitScript(() => {
    const tell = (window as unknown as { __violated: (what: string) => void }).__violated;
    document.addEventListener("securitypolicyviolation", (event) =>
      tell(`${event.violatedDirective} ${event.blockedURI} on ${location.pathname}`),
    );
  });
  page.on("console", (message) => {
    if (/content security policy|trusted types|refused to/i.test(message.text())) violations.push(message.text());
  });
  return violations;
}
