import { createAiProvider } from "@/lib/ai/provider";
import type { TokenCounts } from "@/lib/ai/tokens";
import { REPLAYS, type ReplayName } from "@/scripts/samples/ai/replays";

const ANSWER = "Wässer am Morgen 🌱.\n\nThe soil keeps it.";

type Seen = { outcome: string; thinks: boolean; restarts: number; tokens?: Partial<TokenCounts>; call?: string };

let models = 0;

/** What a reader sees of a replay that arrives in these parts. */
export async function seeReplay(name: ReplayName, parts: Uint8Array[]): Promise<Seen> {
  const { type } = REPLAYS[name];
  const body = () =>
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
  const fetch = async () => new Response(body(), { headers: { "content-type": type } });
  // What is learnt of a model must not help the next try.
  const ai = createAiProvider({ apiKey: "k", baseUrl: "http://127.0.0.1:1/v1", model: `m${models++}`, fetch });
  const messages = [{ role: "user" as const, content: "Write" }];
  if ("asks" in REPLAYS[name]) {
    const { toolCalls } = await ai.converse({ messages, tools: [] });
    return {
      outcome: "asks",
      thinks: false,
      restarts: 0,
      call: toolCalls.map((call) => `${call.name} ${call.input}`).join(),
    };
  }
  let [screen, thinks, restarts] = ["", false, 0];
  const onRestart = () => {
    screen = "";
    restarts++;
  };
  const stream = ai.stream({ messages, onThinking: () => (thinks = true), onRestart });
  try {
    for (;;) {
      const next = await stream.next();
      if (!next.done) screen += next.value;
      else {
        const { tokensIn, tokensOut, tokensCached, tokensReasoning } = next.value;
        const tokens = { tokensIn, tokensOut, tokensCached, tokensReasoning };
        return {
          outcome: next.value.text === screen.trim() ? screen.trim() : `not ${screen}`,
          thinks,
          restarts,
          tokens,
        };
      }
    }
  } catch (error) {
    return { outcome: String((error as { type?: string }).type ?? error), thinks, restarts };
  }
}

const tokens = (tokensIn: number, tokensOut: number, tokensCached = 0, tokensReasoning = 0) => ({
  tokensIn,
  tokensOut,
  tokensCached,
  tokensReasoning,
});
const NONE = tokens(0, 0);
const says = (thinks: boolean, counts: TokenCounts = NONE, restarts = 0): Seen => ({
  outcome: ANSWER,
  thinks,
  restarts,
  tokens: counts,
});
const fails = (outcome: string): Seen => ({ outcome, thinks: false, restarts: 0 });
const INPUT = '{"name":"Wässer"}';
const CALLS: Seen = { outcome: "asks", thinks: false, restarts: 0, call: `create_topic ${INPUT}` };

export const EXPECTED: Record<ReplayName, Seen> = {
  openai: says(false, tokens(19, 30, 8, 20)),
  "openai-refusal": fails("AI_DECLINED"),
  "openai-tool": CALLS,
  azure: says(false),
  "azure-filtered": fails("AI_DECLINED"),
  openrouter: says(true, tokens(15, 31, 14, 11)),
  "openrouter-error": fails("AI_RATE_LIMITED"),
  "openrouter-error-whole": fails("AI_RATE_LIMITED"),
  gemini: says(true),
  "gemini-tool": CALLS,
  mistral: says(true, tokens(10, 25)),
  "mistral-whole": says(false, tokens(6, 9)),
  deepseek: says(true, tokens(16, 92, 6, 81)),
  "deepseek-whole": says(false, tokens(6, 9)),
  "deepseek-tool": CALLS,
  "deepseek-no-room": { ...fails("AI_BAD_ANSWER"), thinks: true },
  groq: says(true, tokens(22, 44)),
  "groq-parsed": says(true),
  "groq-tool": CALLS,
  ollama: says(true),
  "ollama-tool": CALLS,
  vllm: says(true),
  "vllm-tool": CALLS,
  "vllm-unopened": says(false, NONE, 1),
  "vllm-error": fails("AI_PROVIDER_ERROR"),
  lmstudio: says(true),
  "lmstudio-tool": CALLS,
  gateway: says(false),
  "broken-off": fails("AI_PROVIDER_ERROR"),
};

export const bytesOf = (name: ReplayName) =>
  new TextEncoder().encode(REPLAYS[name].body("asks" in REPLAYS[name] ? INPUT : ANSWER));
