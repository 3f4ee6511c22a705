import { expect, test } from "@playwright/test";
import { expectAccessible, openPage } from "@/tests/support/e2e-page";
import { SIGNED_IN, VISITOR } from "@/tests/support/e2e-screens";
import { connectSamples, registerUser } from "@/tests/support/e2e-user";
import { fillShowcase } from "@/tests/support/showcase";

/** The narrowest usual phone. All screens, widths and themes: thorough/screens.spec.ts. */
const PHONE = { width: 360, height: 740 };
const OF_PLANNING = [
  "home",
  "project",
  "all pieces",
  "content ideas",
  "library",
  "editor",
  "outline",
  "search figures",
  "assistant",
];
const OF_WORK = ["publishing", "queue monitor", "settings"];

test("shows thirteen screens on a phone accessibly and without sideways scrolling", async ({ page, context }) => {
  test.setTimeout(120_000);
  await page.setViewportSize(PHONE);
  const id = await registerUser(context, `screens.${Date.now()}`);
  await connectSamples(context);
  const shown = await fillShowcase(process.env.E2E_DATABASE_URL ?? "", id);
  for (const name of [...OF_PLANNING, ...OF_WORK]) await look(name, SIGNED_IN[name]);
  await context.clearCookies();
  await look("sign in", VISITOR["sign in"]);

  async function look(name: string, screen: (typeof SIGNED_IN)[string] | undefined) {
    if (!screen) throw new Error(`There is no screen ${name}.`);
    await openPage(page, screen.path(shown));
    await screen.open?.(page);
    await expect(screen.heading(page)).toBeVisible();
    await expectAccessible(page, name);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect([name, overflow]).toEqual([name, 0]);
  }
});
