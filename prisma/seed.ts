import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type Actor, actorFromSignIn } from "@/lib/auth/actor";
import { hashPassword } from "@/lib/auth/password";
import { prisma } from "@/lib/db/prisma";
import { isAppError } from "@/lib/errors";
import { deleteAccount } from "@/lib/features/deletion/writes";
import { listProjects, personaOf } from "@/lib/features/projects/reads";
import { createPersona, createProject } from "@/lib/features/projects/writes";
import { saveSettings } from "@/lib/features/sites/writes/settings";
import { listTopics } from "@/lib/features/topics/reads";
import { createTopic } from "@/lib/features/topics/writes";
import { placeOf } from "@/lib/wordpress/site-address";

/**
 * The demo account, connected to the sample provider and the sample site, with a project to begin from. Running it again
 * changes nothing but the connection: the samples may have moved. With DEMO_FRESH it deletes the account first.
 */
const USERNAME = "demo";
const PASSWORD = "demo-planner-2026";
/** What the record of scripts/demo says of an account that has just been created. */
const NOTHING_YET = "{}";

async function seed(): Promise<void> {
  const { DEMO_RECORD = "", DEMO_FRESH } = process.env;
  if (DEMO_FRESH) await deleteAll();
  const known = await findAccount();
  // Before the account: a start that is killed between the two begins again.
  if (!known) writeFileSync(DEMO_RECORD, NOTHING_YET);
  const user =
    known ??
    (await prisma.user.create({
      data: { username: USERNAME, displayName: "Demo", password: await hashPassword(PASSWORD) },
      select: { id: true },
    }));
  const actor = actorOf(user);
  const { DEMO_AI_KEY, DEMO_WORDPRESS_URL, DEMO_WORDPRESS_USERNAME, DEMO_WORDPRESS_PASSWORD } = process.env;
  await saveSettings(actor, {
    openaiApiKey: DEMO_AI_KEY,
    wordpressUrl: DEMO_WORDPRESS_URL,
    wordpressUsername: DEMO_WORDPRESS_USERNAME,
    wordpressPassword: DEMO_WORDPRESS_PASSWORD,
  });
  if (existsSync(DEMO_RECORD) && readFileSync(DEMO_RECORD, "utf8") === NOTHING_YET) await seedProject(actor);
  console.log(`Demo account: ${USERNAME} / ${PASSWORD}`);
}

function findAccount() {
  return prisma.user.findUnique({ where: { usernameKey: USERNAME }, select: { id: true, username: true } });
}

function actorOf({ id }: { id: string }): Actor {
  return actorFromSignIn(id, { requestId: "seed", address: "local" });
}

/** The product leaves posts on their site. These go too: a new account would publish the same ones beside them. */
async function deleteAll(): Promise<void> {
  const known = await findAccount();
  if (!known) return;
  const { DEMO_WORDPRESS_URL = "", DEMO_WORDPRESS_USERNAME, DEMO_WORDPRESS_PASSWORD } = process.env;
  const posts = await prisma.piecePost.findMany({
    where: { site: { userId: known.id, place: placeOf(DEMO_WORDPRESS_URL) }, postId: { not: null } },
    select: { postId: true },
  });
  const proof = { confirm: known.username ?? "", password: PASSWORD };
  await deleteAccount(actorOf(known), undefined, proof).catch((error: unknown) => {
    if (!isAppError(error, "VALIDATION_ERROR")) throw error;
    console.error(
      "The demo account's password was changed: start without --fresh, and delete the account in its settings.",
    );
    process.exit(1);
  });
  const login = Buffer.from(`${DEMO_WORDPRESS_USERNAME}:${DEMO_WORDPRESS_PASSWORD}`).toString("base64");
  for (const { postId } of posts) {
    await fetch(`${DEMO_WORDPRESS_URL}/wp-json/wp/v2/posts/${postId}?force=true`, {
      method: "DELETE",
      headers: { Authorization: `Basic ${login}` },
    });
  }
}

/** A start that was killed in the middle of it goes on. */
async function seedProject(actor: Actor): Promise<void> {
  const [known] = (await listProjects(actor)).items;
  const project =
    known ??
    (await createProject(actor, {
      title: "Spring planting guide",
      description:
        "Everything a first-time grower needs between the last frost and the first harvest, told week by week.",
    }));
  if (!(await personaOf(actor, project.id))) {
    await createPersona(actor, project.id, {
      name: "Tessa Okafor",
      age: 34,
      description: "Rents a ground-floor flat with a shared yard. Grew basil once. Reads on her phone on the train.",
      interests: ["Food that tastes of something", "Short weekend projects", "Reusing what is already in the shed"],
      challenges: ["Two hours a week, at most", "Afraid of spending money on a bed that fails"],
    });
  }
  if ((await listTopics(actor, project.id)).items.length > 0) return;
  await createTopic(actor, project.id, {
    name: "Seed starting indoors",
    description: "From packet to potting up: mixes, light, warmth and the mistakes that cost a tray.",
    category: "Growing from seed",
  });
}

await seed();
await prisma.$disconnect();
