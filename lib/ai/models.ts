import type OpenAI from "openai";
import { z } from "zod";
import { RefusedByProvider } from "@/lib/ai/failures";
import { secretFinder } from "@/lib/utils/secret-in-text";

/** How long the list of models may take. */
export const MODELS_MS = 5_000;
const MAX_NAMED = 5;
const MAX_LISTED = 1_000;

/** The failure with the models that the key may use, those named most like `model` first; as it was if none are known. */
export async function nameModels(
  failure: RefusedByProvider,
  client: OpenAI,
  secret: string,
  model: string,
): Promise<RefusedByProvider> {
  const signal = AbortSignal.timeout(MODELS_MS);
  const answer: unknown = await client.get("/models", { signal }).catch(() => undefined);
  const { data = [] } = list.safeParse(answer).data ?? {};
  const isSecret = secretFinder(secret);
  const names = data.slice(0, MAX_LISTED).flatMap(({ id }) => (id === undefined || isSecret(id) ? [] : id));
  if (names.length === 0) return failure;
  const nearest = names.sort((a, b) => sharedStart(b, model) - sharedStart(a, model)).slice(0, MAX_NAMED);
  const message = `The AI provider has no model named ${model}. Your key may use: ${nearest.join(", ")}. Ask the site's operator to choose one.`;
  return new RefusedByProvider(failure.type, { message, cause: failure.cause }, { outcome: failure.outcome });
}

const list = z.object({
  data: z.array(
    z.object({
      id: z
        .string()
        .regex(/^[\w.:/@-]{1,80}$/)
        .optional()
        .catch(undefined),
    }),
  ),
});

function sharedStart(name: string, model: string): number {
  // Gemini and routers put a folder before the name.
  const own = name.slice(name.lastIndexOf("/") + 1);
  let length = 0;
  while (length < own.length && own[length] === model[length]) length++;
  return length;
}
