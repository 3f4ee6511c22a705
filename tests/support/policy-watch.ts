import type { Page } from "@playwright/test";

/** Violations of the page's CSP from its first script on, including those logged to the console. */
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
