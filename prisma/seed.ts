import { actorFromSignIn } from "@/lib/auth/actor";
import { hashPassword } from "@/lib/auth/password";
import { prisma } from "@/lib/db/prisma";
import { saveSettings } from "@/lib/features/account/settings/writes/settings";
import { listProjects } from "@/lib/features/projects/reads";
import { createPersona, createProject } from "@/lib/features/projects/writes";
import { createTopic } from "@/lib/features/topics/writes";

/**
 * The demo account, connected to the sample provider and the sample site, with a project to begin from.
 * Running it again changes nothing but the connection: the samples may have moved.
 */
const USERNAME = "demo";
const PASSWORD = "demo-planner-2026";

async function seed(): Promise<void> {
  const known = await prisma.user.findUnique({ where: { usernameKey: USERNAME }, select: { id: true } });
  const user =
    known ??
    (await prisma.user.create({
      data: { username: USERNAME, displayName: "Demo", password: await hashPassword(PASSWORD) },
      select: { id: true },
    }));
  const actor = actorFromSignIn(user.id, { requestId: "seed", address: "local" });
  const { DEMO_AI_KEY, DEMO_WORDPRESS_URL, DEMO_WORDPRESS_USERNAME, DEMO_WORDPRESS_PASSWORD } = process.env;
  await saveSettings(actor, {
    openaiApiKey: DEMO_AI_KEY,
    wordpressUrl: DEMO_WORDPRESS_URL,
    wordpressUsername: DEMO_WORDPRESS_USERNAME,
    wordpressPassword: DEMO_WORDPRESS_PASSWORD,
  });
  if ((await listProjects(actor)).items.length === 0) await seedProject(actor);
  console.log(`Demo account: ${USERNAME} / ${PASSWORD}`);
}

async function seedProject(actor: ReturnType<typeof actorFromSignIn>): Promise<void> {
  const project = await createProject(actor, {
    title: "Spring planting guide",
    description:
      "Everything a first-time grower needs between the last frost and the first harvest, told week by week.",
  });
  await createPersona(actor, project.id, {
    name: "Tessa Okafor",
    age: 34,
    description: "Rents a ground-floor flat with a shared yard. Grew basil once. Reads on her phone on the train.",
    interests: ["Food that tastes of something", "Short weekend projects", "Reusing what is already in the shed"],
    challenges: ["Two hours a week, at most", "Afraid of spending money on a bed that fails"],
  });
  await createTopic(actor, project.id, {
    name: "Seed starting indoors",
    description: "From packet to potting up: mixes, light, warmth and the mistakes that cost a tray.",
    category: "Growing from seed",
  });
}

await seed();
await prisma.$disconnect();
