import { runInWorker } from "@/lib/workers/run";

it("renders a post in a thread of its own, with the same result as in this one", async () => {
  expect(await runInWorker("ann", "renderPost", "Hello *you*")).toBe(
    "<!-- wp:paragraph -->\n<p>Hello <em>you</em></p>\n<!-- /wp:paragraph -->",
  );
});
