import { randomInt, randomUUID } from "node:crypto";
import { expireLeases } from "@/scripts/leases";
import { census, newFaultyPerson, onePostEach, termsNamed } from "@/tests/faults/publishing/support/person";
import { settle } from "@/tests/faults/publishing/support/settle";
import { type FaultSite, startSite } from "@/tests/faults/publishing/support/site";
import { isWrite } from "@/tests/faults/publishing/support/wordpress-faults";
import { type AppProcess, startAppProcess } from "@/tests/support/app-process";
import { databaseUrl } from "@/tests/support/db";

// The app is killed in the middle of publish-all, again and again; what it sent last is done on the site.

const KILLS = Number(process.env.FAULTS_KILLS ?? 5);
/** New pieces for each process, more than a batch takes, and the writes that they need at least. */
const MORE_PIECES = 30;
const WRITES = 4;
const MAX_ROUNDS = 5;
const TOPIC = "Killed";

let site: FaultSite;
beforeAll(async () => {
  site = await startSite();
}, 90_000);
afterAll(() => site.close());

it(
  `makes no second post when the app is killed ${KILLS} times in the middle of publish-all`,
  async () => {
    const person = await newFaultyPerson(site, { pieces: 0, topic: TOPIC });
    const url = `/api/projects/${person.projectId}/publish-all-to-wordpress`;
    const sofar: number[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      for (let n = 0; n < MORE_PIECES; n++) await person.addPiece();
      process.env.BOOT_ID = randomUUID();
      const app = await startAppProcess();
      const killed = killAt(app, randomInt(1, WRITES + 1));
      await Promise.race([killed, app.callerOf(person).post(url)]).catch(() => undefined);
      await killed;
      site.proxy.rule = () => undefined;
      await site.proxy.settled();
      // What the launcher does when a process has ended.
      await expireLeases(databaseUrl(), process.env.BOOT_ID, false);
      sofar.push((await census(person, site)).public);
    }
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { body } = await person.publishAll();
      if (body.results.every(({ success }) => success)) break;
    }
    await person.atRest();
    await settle();
    const found = await census(person, site);
    process.stdout.write(
      `public after each kill: ${sofar.join(", ")}; in the end ${found.public} of ${person.pieces.length}\n`,
    );
    expect({ ...found, terms: await termsNamed(site, TOPIC) }).toEqual({
      ...onePostEach(person.pieces.length),
      terms: 1,
    });
  },
  60_000 + KILLS * 60_000,
);

/** Kills the app at its write of this number, which still reaches the site. */
function killAt(app: AppProcess, at: number): Promise<void> {
  let writes = 0;
  return new Promise((resolve) => {
    site.proxy.rule = (request) =>
      isWrite(request) && ++writes === at
        ? async ({ forward, drop }) => {
            await app.kill();
            await forward();
            drop();
            resolve();
          }
        : undefined;
  });
}
