import { keysOf } from "@/lib/utils/title-key";
import { runInWorker } from "@/lib/workers/run";

it("computes the keys of titles in a thread of its own", async () => {
  const titles = Buffer.from("Äpfel schneiden\nschneiden: ÄPFEL\n?").toString("base64");
  const keys = [...keysOf("Äpfel schneiden"), ...keysOf("schneiden: ÄPFEL")];
  expect(await runInWorker("ann", "titleKeys", titles)).toBe(keys.join("\n"));
});

it("renders a post in a thread of its own, with the same result as in this one", async () => {
  expect(await runInWorker("ann", "renderPost", "Hello *you*")).toBe(
    "<!-- wp:paragraph -->\n<p>Hello <em>you</em></p>\n<!-- /wp:paragraph -->",
  );
});
