import { randomInt } from "node:crypto";
import fc from "fast-check";
import {
  type Action,
  addressBook,
  describeSequence,
  lateDelivery,
  PIECES,
  type PieceAction,
  ruleOf,
  type Sequence,
  type Step,
  sequence,
} from "@/tests/faults/publishing/support/sequence";
import { settle } from "@/tests/faults/publishing/support/settle";
import { type FaultSite, isReal, startSite } from "@/tests/faults/publishing/support/site";
import { type FaultyUser, newFaultyUser, postsOf, termsNamed } from "@/tests/faults/publishing/support/user";

// Random sequences of what a user does and what the network does to it.

const SEQUENCES = Number(process.env.FAULTS_SEQUENCES ?? (isReal ? 8 : 40));
const SEED = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31));
/** How long to look for a shorter sequence that fails. */
const SHRINK_MS = 60_000;
const TIMEOUT_MS = 120_000 + SHRINK_MS + SEQUENCES * (isReal ? 60_000 : 10_000);

let sites: [FaultSite, FaultSite];

beforeAll(async () => {
  sites = [await startSite(), await startSite()];
}, 90_000);
afterAll(() => Promise.all(sites.map((site) => site.close())));

it(
  `keeps its promises in ${SEQUENCES} random sequences`,
  async () => {
    let failedAt = Number.POSITIVE_INFINITY;
    let shortest: { sequence: Sequence; broken: string[] } | undefined;
    const property = fc.asyncProperty(sequence, async (each) => {
      if (performance.now() - failedAt > SHRINK_MS) return;
      const { broken, steps } = await brokenPromises(each);
      if (broken.length === 0) return;
      failedAt = Math.min(failedAt, performance.now());
      if (!shortest || steps.length <= shortest.sequence.steps.length)
        shortest = { sequence: { ...each, steps }, broken };
      throw new Error(broken.join("\n"));
    });
    const { failed, numRuns, errorInstance } = await fc.check(property, { numRuns: SEQUENCES, seed: SEED });
    if (failed && shortest) {
      throw new Error(
        `npm run test:faults -- publishing --seed ${SEED} failed at sequence ${numRuns}. The shortest that fails, ` +
          `${describeSequence(shortest.sequence)}\n${shortest.broken.join("\n")}`,
      );
    }
    if (failed) throw errorInstance;
    expect(numRuns).toBe(SEQUENCES);
  },
  TIMEOUT_MS,
);

let topics = 0;

/** Runs a sequence; returns the promises that it broke, and the steps it took to break them. */
async function brokenPromises({ role, steps }: Sequence): Promise<{ broken: string[]; steps: Step[] }> {
  const book = addressBook(sites);
  await book.open();
  const topic = role === "author" ? "Uncategorized" : `Topic ${SEED} ${topics++}`;
  const user = await newFaultyUser(sites[0], { pieces: PIECES, role, topic });
  user.answers(book.answer);
  await user.connect(book.proxy().origin, book.site().users);
  const run = { user, book, ledger: newLedger(user), broken: [] as string[] };
  const late = lateDelivery();
  try {
    for (const [at, { action, fault }] of steps.entries()) {
      const proxy = book.proxy();
      const faulty = fault && ruleOf(fault, late);
      if (faulty) proxy.rule = faulty;
      await take(run, action);
      // A proxy that was moved away from may redirect by now.
      if (proxy.rule === faulty) proxy.rule = () => undefined;
      late.pass();
      await checkPublic(run);
      if (run.broken.length > 0) return { broken: run.broken, steps: steps.slice(0, at + 1) };
    }
    late.pass();
    late.pass();
    await Promise.all([book.settled(), user.atRest()]);
    await settleBoth(run);
    await checkSites(run, topic, "in the end");
    await checkPublic(run);
    await publishTheRest(run);
    await settleBoth(run);
    await checkSites(run, topic, "after publishing the rest");
    await checkPublic(run);
    await checkPresentSite(run);
    return { broken: run.broken, steps };
  } finally {
    await book.close();
  }
}

type Run = {
  user: FaultyUser;
  book: ReturnType<typeof addressBook>;
  ledger: ReturnType<typeof newLedger>;
  broken: string[];
};

/** Only the present site can be asked: what is left on the other one waits until the user comes back to it. */
async function settleBoth({ user, book }: Run): Promise<void> {
  for (const _site of sites) {
    book.switchSite();
    await user.connect(book.proxy().origin, book.site().users);
    await user.sayWhichSite();
    await settle();
  }
}

/** What the user wrote and sent, derived from the steps alone. */
function newLedger({ pieces, username }: FaultyUser) {
  let texts = 0;
  const now = pieces.map((_piece, number) => `The first text of piece ${number} of ${username}.`);
  const sent = pieces.map(() => new Set<string>());
  const removed = new Set<number>();
  return {
    now,
    sent,
    removed,
    newText: () => `Text ${++texts} of ${username}.`,
    send(number: number) {
      sent[number]?.add(now[number] ?? "");
    },
    /** The pieces that are still there. */
    kept: () => pieces.map((_piece, number) => number).filter((number) => !removed.has(number)),
  };
}

async function take(run: Run, action: Action): Promise<void> {
  const { user, book, ledger } = run;
  if (action.what === "publishAll") {
    for (const number of ledger.kept()) ledger.send(number);
    expectKnown(run, "publishAll", await user.publishAll());
  } else if (action.what === "switchSite" || action.what === "move") {
    if (action.what === "move") await book.move(action.old);
    else book.switchSite();
    await user.connect(book.proxy().origin, book.site().users);
    await user.sayWhichSite();
  } else if (action.what === "permalinks") {
    await book.site().setPermalinks(action.kind);
  } else if ("piece" in action && !ledger.removed.has(action.piece)) {
    await takeOnPiece(run, action);
  }
}

async function takeOnPiece(run: Run, action: PieceAction): Promise<void> {
  const { user, book, ledger, broken } = run;
  const number = action.piece;
  const piece = user.piece(number);
  const postOnSite = async () => postsOf(await book.site().posts(), piece).find(({ status }) => status !== "trash");
  switch (action.what) {
    case "publish":
    case "force":
      ledger.send(number);
      expectKnown(run, "publish", await user.publish(piece, action.what === "force" ? { force: true } : undefined));
      break;
    case "publishTwice":
      ledger.send(number);
      for (const each of await Promise.all([user.publish(piece), user.publish(piece)]))
        expectKnown(run, "publish", each);
      break;
    case "removeMeanwhile": {
      ledger.send(number);
      const [published, removed] = await Promise.all([user.publish(piece), user.remove(piece)]);
      expectKnown(run, "publish", published);
      if (removed.status < 300) ledger.removed.add(number);
      break;
    }
    case "unpublish":
    case "sync": {
      const before = await postOnSite();
      const answer = await user[action.what](piece);
      expectKnown(run, action.what, answer);
      const { body } = answer;
      if (before?.status === "publish" && body?.type === "NOT_ON_SITE")
        broken.push(`${action.what} said "not on your site" of live post ${before.id}`);
      break;
    }
    case "write": {
      const text = ledger.newText();
      if ((await user.write(piece, text)).status === 200) ledger.now[number] = text;
      break;
    }
    case "setStatus":
      await user.setStatus(piece, action.status);
      break;
    case "remove":
      if ((await user.remove(piece)).status < 300) ledger.removed.add(number);
      break;
    case "editOnSite": {
      const post = await postOnSite();
      const text = ledger.newText();
      ledger.sent[number]?.add(text);
      if (post) await book.site().edit(post.id, { content: `<p>${text}</p>` });
      break;
    }
    case "trashOnSite": {
      const post = await postOnSite();
      if (post) await book.site().trash(post.id);
    }
  }
}

/** Nothing may ever be public twice, or without having been sent, whereas a stray draft has time until the sweep. */
async function checkPublic({ user, ledger, broken }: Run): Promise<void> {
  for (const [at, site] of sites.entries()) {
    const posts = (await site.posts()).filter(({ status }) => status === "publish");
    for (const [number, piece] of user.pieces.entries()) {
      const found = postsOf(posts, piece);
      const ids = found.map(({ id }) => id);
      if (ids.length > 1) broken.push(`piece ${number} is public ${ids.length} times on site ${at}: ${ids.join(", ")}`);
      for (const { id, content } of found) {
        if (![...(ledger.sent[number] ?? [])].some((text) => content.raw.includes(text)))
          broken.push(`post ${id} of site ${at} shows a text that nobody sent: ${content.raw}`);
      }
    }
  }
}

/** Whatever the site does, the app knows what to say. */
function expectKnown({ broken }: Run, verb: string, { status, text }: { status: number; text: string }): void {
  if (status === 500) broken.push(`${verb} failed unexpectedly: ${text}`);
}

/** Without faults everything can be published; a post in the trash is the user's own business. */
async function publishTheRest({ user, ledger, broken }: Run): Promise<void> {
  for (const number of ledger.kept()) {
    ledger.send(number);
    const { status, body } = await user.publish(user.piece(number), { force: true });
    if (status !== 200 && body.type !== "REMOTE_TRASHED")
      broken.push(`piece ${number} cannot be published: ${status} ${body.type} ${body.error}`);
  }
}

/** Every piece that is public shows its text of now, and nothing of ours lies about beside it. */
async function checkPresentSite({ user, book, ledger, broken }: Run): Promise<void> {
  const posts = await book.site().posts();
  for (const number of ledger.kept()) {
    for (const { id, status, slug, content } of postsOf(posts, user.piece(number))) {
      if (status === "publish" && !content.raw.includes(ledger.now[number] ?? ""))
        broken.push(`after publishing the rest, post ${id} shows an old text: ${content.raw}`);
      if (status === "draft" && slug.startsWith("content-planner-"))
        broken.push(`after publishing the rest, draft ${id} is a stray of piece ${number}`);
    }
  }
}

async function checkSites({ user, ledger, broken }: Run, topic: string, when: string): Promise<void> {
  for (const [at, site] of sites.entries()) {
    const posts = await site.posts();
    for (const [number, piece] of user.pieces.entries()) {
      const found = postsOf(posts, piece).filter(({ status }) => status !== "trash");
      if (found.length > 1) {
        const list = found.map(({ id, status }) => `${id} ${status}`).join(", ");
        broken.push(`${when}, piece ${number} has ${found.length} posts on site ${at}: ${list}`);
      }
    }
    const terms = await termsNamed(site, topic);
    if (terms > 1) broken.push(`${when}, site ${at} has ${terms} terms "${topic}"`);
  }
  for (const number of ledger.kept()) {
    const body = (await user.read(user.piece(number)))?.body;
    if (body !== ledger.now[number]) broken.push(`${when}, piece ${number} has lost its text: ${body}`);
  }
}
