import type { Actor } from "@/lib/auth/actor";
import { cachedCategories } from "@/lib/features/publishing/writes/category";
import type { Site } from "@/lib/features/sites/writes/connect";

// Calls at the same time that need the same new category.

const ACTOR = {} as Actor;
/** Without the other processes' turns. */
const alone = (_actor: Actor, _key: string, create: () => Promise<number>) => create();

/** A site whose creations are answered one by one, by the test. */
function slowSite(id = "site") {
  const asked: { name: string; answer: (id: number) => void; fail: (error: Error) => void }[] = [];
  const ensureCategory = (name: string) =>
    new Promise<number>((answer, fail) => {
      asked.push({ name, answer, fail });
    });
  const site = { id, client: { ensureCategory, findCategories: async () => [] } } as unknown as Site;
  const call = async (name: string) => (await cachedCategories(site, ACTOR, { alone }).categoryNamed(name)).id;
  return { asked, call };
}

/** The site has been asked whether it has the categories. */
const looked = () => new Promise(setImmediate);

it("share one creation of a name, in any case", async () => {
  const { asked, call } = slowSite();
  const both = [call("Compost"), call("compost ")];
  await looked();
  expect(asked.map(({ name }) => name)).toEqual(["Compost"]);
  asked[0]?.answer(7);
  expect(await Promise.all(both)).toEqual([7, 7]);
});

it("share its failure, and a later call tries again", async () => {
  const { asked, call } = slowSite();
  const both = [call("Compost"), call("Compost")];
  await looked();
  asked[0]?.fail(new Error("lost"));
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const later = call("Compost");
  await looked();
  asked[1]?.answer(8);
  expect(await later).toBe(8);
});

it("share nothing with another name or another site", async () => {
  const [one, two] = [slowSite("one"), slowSite("two")];
  for (const name of ["Compost", "Mulch"]) void one.call(name);
  void two.call("Compost");
  await looked();
  expect([one.asked.length, two.asked.length]).toEqual([2, 1]);
});
