import { runHeavy } from "@/lib/workers/run";

it("renders a post in a thread of its own, as on this one", async () => {
  expect(await runHeavy("ann", "renderPost", "Hello *you*")).toBe(
    "<!-- wp:paragraph -->\n<p>Hello <em>you</em></p>\n<!-- /wp:paragraph -->",
  );
});
