import { setTimeout as wait } from "node:timers/promises";
import type { Bench } from "@/tests/bench/benchmark";
import { startDistantSite } from "@/tests/bench/distant-site";
import type { Attack, Prepared } from "@/tests/bench/fairness/attack";
import { ask, newUser, type User } from "@/tests/bench/fairness/users";
import { articleBody, newProject } from "@/tests/bench/publishing-projects";
import type { RealWordPress } from "@/tests/support/real-wordpress";

const PIECES = 50;
const POLL_MS = 200;
/** A publish that takes longer than this is reported with this. */
const LIMIT_MS = 120_000;

/** A stranger's wrong password and another user's publishing meet at one WordPress site. */
export const siteAttacks: Attack[] = [
  {
    name: "same-site",
    about: "30 connections test a wrong password on the site to which another publishes: POST /api/wordpress/test",
    pattern: { kind: "loop", connections: 30 },
    prepare: besidePublishing,
  },
];

async function besidePublishing(bench: Bench): Promise<Prepared> {
  const site = await startDistantSite();
  await bench.shutdown.add(site.stop);
  const [publisher, stranger] = [await newUser(bench), await newUser(bench)];
  await connect(bench, publisher, site, site.users.editor.applicationPassword);
  await connect(bench, stranger, site, "abcd efgh ijkl mnop qrst uvwx");
  return async () => {
    const project = await newProject(bench.stack, publisher, { pieces: PIECES, body: articleBody });
    return {
      calls: [{ method: "POST", path: "/api/wordpress/test", cookie: stranger.cookie, body: {} }],
      async beside() {
        const [began, before] = [performance.now(), site.requests().length];
        await publish(bench, publisher, project);
        const seconds = (performance.now() - began) / 1_000;
        return {
          [`publish of ${PIECES}, s`]: seconds,
          "calls to the site a second": (site.requests().length - before) / seconds,
        };
      },
    };
  };
}

async function connect(bench: Bench, { cookie }: User, site: RealWordPress, wordpressPassword: string): Promise<void> {
  const body = { wordpressUrl: site.url, wordpressUsername: site.users.editor.username, wordpressPassword };
  await ask(bench, "PATCH", "/api/user/settings", { cookie, body });
}

/** Publishes a project, also when a job goes on with what the call had no time for. */
async function publish(bench: Bench, { cookie }: User, projectId: number): Promise<void> {
  const path = `/api/projects/${projectId}/publish-all-to-wordpress`;
  const answer = await ask(bench, "POST", path, { cookie, body: {} });
  const { jobId } = (await answer.json()) as { jobId?: string };
  if (!jobId) return;
  for (const deadline = Date.now() + LIMIT_MS; Date.now() < deadline; await wait(POLL_MS)) {
    const job = await ask(bench, "GET", `/api/publishing-jobs/${jobId}`, { cookie });
    if (((await job.json()) as { completedAt: string | null }).completedAt) return;
  }
}
