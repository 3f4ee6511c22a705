import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runChild } from "@/scripts/child";
import { REFUSED_WORD } from "@/scripts/demo/content";
import { recordFile } from "@/scripts/demo/record";
import { readJson } from "@/scripts/json-file";
import { freePort } from "@/scripts/ports";

export type Samples = {
  ai: { url: string; apiKey: string };
  wordpress: { url: string; username: string; applicationPassword: string };
  close(): Promise<void>;
};

export type Account = { username: string; password: string };

/** Starts the sample AI provider and WordPress site, on their previous ports if those are free. */
export async function startSamples(folder: string, options: { latencyMs?: number }): Promise<Samples> {
  const [{ startSampleAiProvider }, { startSampleWordPress }] = await Promise.all([
    import("@/scripts/samples/ai-provider"),
    import("@/scripts/samples/wordpress-site"),
  ]);
  // The account and its posts store the site's address, so keep it.
  const file = path.join(folder, "sample-ports.json");
  const known = (readJson(file) ?? {}) as { ai?: number; wordpress?: number };
  const ports = { ai: await freePort(known.ai), wordpress: await freePort(known.wordpress) };
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(ports)}\n`);
  const ai = await startSampleAiProvider({ port: ports.ai, latencyMs: options.latencyMs });
  try {
    const wordpress = await startSampleWordPress({
      port: ports.wordpress,
      dataFile: path.join(folder, "sample-wordpress.json"),
      refusedWord: REFUSED_WORD,
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

export function sampleEnvironment(samples: Samples): Record<string, string> {
  return { OPENAI_BASE_URL: samples.ai.url, WORDPRESS_ALLOWED_HOSTS: new URL(samples.wordpress.url).host };
}

/** Creates the demo account, connected to the samples; repeating it changes nothing. */
export async function seedAccount(
  samples: Samples,
  environment: NodeJS.ProcessEnv,
  { folder, freshAccount }: { folder: string; freshAccount?: boolean },
): Promise<Account> {
  const command = [process.execPath, "--conditions=react-server", "--import", "tsx", "prisma/seed.ts"];
  const result = await runChild(command, {
    env: {
      ...environment,
      DEMO_RECORD: recordFile(folder),
      DEMO_FRESH: freshAccount ? "1" : "",
      DEMO_AI_KEY: samples.ai.apiKey,
      DEMO_WORDPRESS_URL: samples.wordpress.url,
      DEMO_WORDPRESS_USERNAME: samples.wordpress.username,
      DEMO_WORDPRESS_PASSWORD: samples.wordpress.applicationPassword,
    },
  });
  const found = /^Demo account: (\S+) \/ (\S+)$/m.exec(result.lastLines);
  if (result.code !== 0 || !found) throw new Error(`${result.lastLines}\n\nThe demo account could not be created.`);
  return { username: found[1] ?? "", password: found[2] ?? "" };
}
