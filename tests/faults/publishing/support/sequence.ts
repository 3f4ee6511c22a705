import fc from "fast-check";
import {
  bom,
  cutBody,
  delay,
  deliverLater,
  deliverTwice,
  type Fault,
  htmlWith200,
  loseAnswer,
  maintenance,
  redirect,
  refuse,
  status,
} from "@/tests/faults/faults";
import type { FaultProxy, Rule } from "@/tests/faults/proxy";
import { type FaultSite, type Permalinks, WRITE_TIMEOUT_MS } from "@/tests/faults/publishing/support/site";
import type { SiteAnswer } from "@/tests/faults/publishing/support/user";
import {
  halfBatch,
  isWrite,
  kindOf,
  loggedOut,
  withoutApiLink,
} from "@/tests/faults/publishing/support/wordpress-faults";

export const PIECES = 3;

/** `piece` is its number. */
export type PieceAction =
  | { what: PlainPieceAction; piece: number }
  | { what: "setStatus"; piece: number; status: "draft" | "review" };
type PlainPieceAction =
  | "publish"
  | "publishTwice"
  | "force"
  | "unpublish"
  | "sync"
  | "write"
  | "remove"
  | "removeMeanwhile"
  | "editOnSite"
  | "trashOnSite";
/** What the user does, or what happens to the present site. */
export type Action =
  | PieceAction
  | { what: "publishAll" | "switchSite" }
  | { what: "permalinks"; kind: Permalinks }
  | { what: "move"; old: "closed" | "redirects" };

/** Hits `times` requests of the step from the one at `from` on: all kinds of them, or only writes. */
export type StepFault = { fault: FaultName; from: number; times: number; writesOnly: boolean };
export type Step = { action: Action; fault: StepFault | null };
export type Sequence = { role: "editor" | "author"; steps: Step[] };

/** `late`: after this time the app has given up. */
type Releases = { later(): Promise<void>; late: number };

const FAULTS = {
  loseAnswer: () => loseAnswer(),
  neverAnswer: () => loseAnswer("hang"),
  arriveLate: ({ late }: Releases) => delay({ before: late }),
  answerLate: ({ late }: Releases) => delay({ after: late }),
  deliverLater: ({ later }: Releases) => deliverLater(later()),
  deliverTwice: () => deliverTwice("in sequence"),
  deliverTwiceAtOnce: () => deliverTwice("at once"),
  cutBody: () => cutBody(20),
  status500: () => status(500),
  status504: () => status(504),
  status403: () => status(403),
  htmlWith200: () => htmlWith200(),
  htmlInstead: () => htmlWith200("not done"),
  bom: () => bom(),
  refuse: () => refuse(),
  redirect: () => redirect("/", 301),
  redirectAsItIs: () => redirect("/", 307),
  maintenance: () => maintenance(),
  loggedOut: () => loggedOut(),
  halfBatch: () => halfBatch(2),
  withoutApiLink: () => withoutApiLink(),
} satisfies Record<string, (releases: Releases) => Fault>;
type FaultName = keyof typeof FAULTS;
const SLOW: FaultName[] = ["neverAnswer", "arriveLate", "answerLate"];

const piece = fc.nat({ max: PIECES - 1 });
const onPiece = (...names: PlainPieceAction[]) => fc.record({ what: fc.constantFrom(...names), piece });

const action = fc.oneof(
  { weight: 8, arbitrary: onPiece("publish") },
  { weight: 2, arbitrary: onPiece("publishTwice") },
  { weight: 4, arbitrary: fc.constant<Action>({ what: "publishAll" }) },
  { weight: 4, arbitrary: onPiece("write") },
  { weight: 4, arbitrary: onPiece("unpublish", "sync", "force") },
  { weight: 1, arbitrary: onPiece("editOnSite", "trashOnSite", "remove", "removeMeanwhile") },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant("setStatus" as const),
      piece,
      status: fc.constantFrom("draft", "review"),
    }),
  },
  { weight: 2, arbitrary: fc.constant<Action>({ what: "switchSite" }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant("permalinks" as const),
      kind: fc.constantFrom<Permalinks>("pretty", "plain"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant("move" as const),
      old: fc.constantFrom("closed" as const, "redirects" as const),
    }),
  },
);

const fault = fc.record<StepFault>({
  fault: fc.constantFrom(...(Object.keys(FAULTS) as FaultName[]), "loseAnswer", "deliverLater"),
  from: fc.nat({ max: 5 }),
  times: fc.integer({ min: 1, max: 4 }),
  writesOnly: fc.boolean(),
});

export const sequence: fc.Arbitrary<Sequence> = fc.record({
  role: fc.constantFrom("editor" as const, "editor" as const, "author" as const),
  steps: fc.array(fc.record({ action, fault: fc.option(fault) }), { minLength: 4, maxLength: 12, size: "max" }),
});

/** A step's rule, from its first request on. */
export function ruleOf(planned: StepFault, { later }: Pick<Releases, "later">): Rule {
  const { from, times, writesOnly, fault: name } = planned;
  let seen = 0;
  return (request) => {
    if (writesOnly && !isWrite(request)) return undefined;
    const at = seen++;
    if (at < from || at >= from + times) return undefined;
    const kind = kindOf(request);
    // Nothing but a batch can be done by half, and the app waits ten seconds for an answer to a read.
    if (name === "halfBatch" ? kind !== "batch" : SLOW.includes(name) && !isWrite(request)) return loseAnswer();
    return FAULTS[name]({ later, late: 1.25 * WRITE_TIMEOUT_MS * (kind === "batch" ? 3 : 1) });
  };
}

/** Holds requests back until the end of the step after the one in which they were sent. */
export function lateDelivery() {
  let [now, next]: [(() => void)[], (() => void)[]] = [[], []];
  return {
    later: () => new Promise<void>((release) => next.push(release)),
    /** Called at the end of each step. */
    pass() {
      for (const release of now) release();
      [now, next] = [next, []];
    },
  };
}

/** The two sites, each at the address that it has now. */
export function addressBook(sites: [FaultSite, FaultSite]) {
  const proxies: FaultProxy[] = [];
  const at: FaultProxy[] = [];
  const hosts: [string[], string[]] = [[], []];
  let current = 0;
  const pick = <T>(list: T[], index: number): T => list[index] as T;
  const move = async (index: number): Promise<FaultProxy> => {
    const proxy = await pick(sites, index).alsoAt();
    proxies.push(proxy);
    hosts[index]?.push(new URL(proxy.origin).host);
    at[index] = proxy;
    return proxy;
  };
  return {
    open: async () => void (await Promise.all([move(0), move(1)])),
    site: () => pick(sites, current),
    proxy: () => pick(at, current),
    /** The truth about the present site. */
    answer: (question: string): SiteAnswer =>
      pick(hosts, current).some((host) => question.includes(`as ${host} at`)) ? "same" : "other",
    switchSite() {
      current = 1 - current;
    },
    async move(old: "closed" | "redirects") {
      const former = pick(at, current);
      const { origin } = await move(current);
      if (old === "closed") await former.close();
      else
        former.rule =
          ({ path }) =>
          async ({ answer }) =>
            answer({ status: 301, headers: { location: origin + path }, body: "" });
    },
    settled: () => Promise.all(proxies.map((proxy) => proxy.settled())),
    close: () => Promise.all(proxies.map((proxy) => proxy.close())),
  };
}

/** The sequence as a user reads it. */
export function describeSequence({ role, steps }: Sequence): string {
  const lines = steps.map(({ action: { what, ...rest }, fault: planned }) => {
    const how = Object.values(rest).join(" ");
    const which =
      planned && `${planned.writesOnly ? "writes" : "requests"} ${planned.from + 1} to ${planned.from + planned.times}`;
    return `  ${what} ${how}${planned ? `   (${planned.fault} on ${which})` : ""}`;
  });
  return [`as an ${role}:`, ...lines].join("\n");
}
