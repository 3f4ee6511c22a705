import {
  bom,
  cutBody,
  delay,
  deliverTwice,
  type Fault,
  htmlWith200,
  loseAnswer,
  maintenance,
  redirect,
  refuse,
  status,
} from "@/tests/faults/faults";
import { settle } from "@/tests/faults/publishing/support/settle";
import { type FaultSite, startSite, WRITE_TIMEOUT_MS } from "@/tests/faults/publishing/support/site";
import { census, newFaultyUser, onePostEach, postsOf, termsNamed } from "@/tests/faults/publishing/support/user";
import { faultOn, firstOf, type Kind, loggedOut } from "@/tests/faults/publishing/support/wordpress-faults";

// Each fault on each kind of request, once and with a failing look-up beside it; then the user publishes again.

let site: FaultSite;

beforeAll(async () => {
  site = await startSite();
}, 90_000);
afterAll(() => site.close());

const FAULTS: Record<string, () => Fault> = {
  "loses the answer": () => loseAnswer(),
  "never answers": () => loseAnswer("hang"),
  "answers late": () => delay({ after: 1.25 * WRITE_TIMEOUT_MS }),
  "delivers it late": () => delay({ before: 1.25 * WRITE_TIMEOUT_MS }),
  "delivers it twice": () => deliverTwice("in sequence"),
  "delivers it twice at once": () => deliverTwice("at once"),
  "cuts the answer off": () => cutBody(20),
  "answers 500 after doing it": () => status(500),
  "answers 504 after doing it": () => status(504),
  "answers 403 after doing it": () => status(403),
  "answers 404 after doing it": () => status(404),
  "redirects after doing it": () => status(302),
  "answers with a page after doing it": () => htmlWith200(),
  "answers with a page instead of doing it": () => htmlWith200("not done"),
  "puts a byte order mark before the answer": () => bom(),
  "redirects it": () => redirect(`${site.url}/`, 302),
  "redirects it for good": () => redirect(`${site.url}/`, 301),
  "redirects it as it is": () => redirect(`${site.url}/`, 307),
  "is in maintenance": () => maintenance(),
  "logs the user out": () => loggedOut(),
  "breaks the connection": () => refuse(),
};
const KINDS: Kind[] = ["category", "create", "update"];
const ROUNDS = Object.entries(FAULTS).flatMap(([name, fault]) => KINDS.map((kind) => [kind, name, fault] as const));
let topics = 0;

describe.each([
  ["look-ups work", () => []],
  ["look-ups fail too", () => [faultOn("lookup", refuse())]],
] as const)("one post is left in the end (%s)", (_name, also) => {
  it.each(ROUNDS)("%s: the network %s", async (kind, _fault, fault) => {
    const topic = `Every fault ${topics++}`;
    const user = await newFaultyUser(site, { topic });
    const piece = user.piece(0);
    site.proxy.rule = firstOf(faultOn(kind, fault(), 1), ...also());
    const first = await user.publish(piece);
    // A false success is worse than a failure.
    const shown = postsOf(await site.posts(), piece).filter((post) => post.status === "publish");
    if (first.status === 200) expect(shown).toHaveLength(1);
    site.proxy.rule = () => undefined;
    expect((await user.publish(piece)).status).toBe(200);
    await site.proxy.settled();
    await settle();
    expect([await census(user, site), await termsNamed(site, topic)]).toEqual([onePostEach(1), 1]);
    expect((await user.publishAll()).body.results.map(({ success }) => success)).toEqual([true]);
  });
});
