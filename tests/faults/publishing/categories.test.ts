import { delay, deliverTwice, type Fault, loseAnswer, status } from "@/tests/faults/faults";
import { type FaultSite, startSite, WRITE_TIMEOUT_MS } from "@/tests/faults/publishing/support/site";
import { census, newFaultyUser, onePostEach, termsNamed } from "@/tests/faults/publishing/support/user";
import { faultOn } from "@/tests/faults/publishing/support/wordpress-faults";

// Pieces of a topic whose category is not on the site yet, while the network loses, delays and repeats its creation. The
// double makes no twins by itself: the race between two creations shows on a real WordPress only.

let site: FaultSite;

beforeAll(async () => {
  site = await startSite();
}, 90_000);
afterAll(() => site.close());

const FAULTS: [string, () => Fault][] = [
  ["its answer is lost", () => loseAnswer()],
  ["it arrives late", () => delay({ before: 1.25 * WRITE_TIMEOUT_MS })],
  ["it is delivered twice at once", () => deliverTwice("at once")],
  ["it is delivered twice in sequence", () => deliverTwice("in sequence")],
  ["it is answered late", () => delay({ after: 1.25 * WRITE_TIMEOUT_MS })],
  ["it is answered with an error", () => status(500)],
];
const ROUNDS = FAULTS.flatMap(([name, fault]) => [1, 2, 3, 4].map((times) => [name, times, fault] as const));

it.each(ROUNDS)("makes a new category once when %s, %i times", async (name, times, fault) => {
  const topic = `Topic of ${name} ${times}`;
  const user = await newFaultyUser(site, { pieces: 3, topic });
  site.proxy.rule = faultOn("category", fault(), times);
  const [first, second] = [user.piece(0), user.piece(1)];
  await Promise.all([user.publish(first), user.publish(second)]);
  await user.publishAll();
  site.proxy.rule = () => undefined;
  await site.proxy.settled();
  await user.atRest();
  await user.publishAll();
  expect(await census(user, site)).toEqual(onePostEach(3));
  expect(await termsNamed(site, topic)).toBe(1);
});
