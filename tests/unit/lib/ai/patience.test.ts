import { createAiProvider } from "@/lib/ai/provider";
import { env } from "@/lib/env";
import { serveSite } from "@/tests/support/outgoing";

it("gives undici's own limits the time of the operator's whole call", async () => {
  env.AI_CALL_SECONDS = 1;
  const { url } = await serveSite(() => {});
  const times = { firstByteMs: 60_000, silenceMs: 60_000, callMs: 60_000 };
  const ai = createAiProvider({ apiKey: "k", baseUrl: url, model: "silent", times });
  await expect(ai.complete({ messages: [{ role: "user", content: "Write" }] })).rejects.toMatchObject({
    type: "AI_TIMEOUT",
  });
}, 15_000);
