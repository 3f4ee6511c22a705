import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runChild } from "@/scripts/child";
import { freePort } from "@/scripts/ports";

export type Samples = {
  ai: { url: string; apiKey: string };
  wordpress: { url: string; username: string; applicationPassword: string };
  close(): Promise<void>;
};

export type Account = { username: string; password: string };

/** Starts the sample AI provider and the sample WordPress site, on the ports they had last time when these are free. */
export async function startSamples(folder: string, options: { latencyMs?: number }): Promise<Samples> {
  const [{ startSampleAiProvider }, { startSampleWordPress }] = await Promise.all([
    import("@/tests/support/ai-provider"),
    import("@/tests/support/wordpress-site"),
  ]);
  // The account and its posts remember the site's address, so it has to stay the same.
  const file = path.join(folder, "sample-ports.json");
  const known = readPorts(file);
  const ports = { ai: await freePort(known.ai), wordpress: await freePort(known.wordpress) };
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(ports)}\n`);
  const ai = await startSampleAiProvider({ port: ports.ai, latencyMs: options.latencyMs });
  try {
    const wordpress = await startSampleWordPress({
      port: ports.wordpress,
      dataFile: path.join(folder, "sample-wordpress.json"),
    });
    return {
      ai: { url: ai.url, apiKey: ai.apiKey },
      wordpress: {
        url: wordpress.url,
        username: wordpress.username,
        applicationPassword: wordpress.applicationPassword,
      },
      close: async () => {
        await Promise.all([ai.close(), wordpress.close()]);
      },
    };
  } catch (error) {
    await ai.close();
    throw error;
  }
}

/** What the app has to know to use the samples. */
export function sampleEnvironment(samples: Samples): Record<string, string> {
  return { OPENAI_BASE_URL: samples.ai.url, WORDPRESS_ALLOWED_HOSTS: new URL(samples.wordpress.url).host };
}

/** Makes the demo account, connected to the samples; running it again changes nothing. */
export async function seedAccount(samples: Samples, environment: NodeJS.ProcessEnv): Promise<Account> {
  const command = [process.execPath, "--conditions=react-server", "--import", "tsx", "prisma/seed.ts"];
  const result = await runChild(command, {
    env: {
      ...environment,
      DEMO_AI_KEY: samples.ai.apiKey,
      DEMO_WORDPRESS_URL: samples.wordpress.url,
      DEMO_WORDPRESS_USERNAME: samples.wordpress.username,
      DEMO_WORDPRESS_PASSWORD: samples.wordpress.applicationPassword,
    },
  });
  const found = /^Demo account: (\S+) \/ (\S+)$/m.exec(result.lastLines);
  if (result.code !== 0 || !found) throw new Error(`${result.lastLines}\n\nThe demo account could not be made.`);
  return { username: found[1] ?? "", password: found[2] ?? "" };
}

function readPorts(file: string): { ai?: number; wordpress?: number } {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}
