import "server-only";
import { Middleware } from "inngest";
import { claimOnce } from "@/lib/limits/once";
import { log } from "@/lib/log";

/** The SDK takes a signature from 5 minutes before its time to 5 minutes after it; one minute is for clocks that differ. */
const REMEMBERED_SECONDS = 11 * 60;

/**
 * Runs each signed call once: an attacker who caught one could otherwise send it again while it counts and make a step
 * pay twice. Only the body is signed, so the same signature at another step or function is the same call; the engine signs
 * each try with its own time. The SDK makes one of these per request.
 */
export class RefuseReplays extends Middleware.BaseMiddleware {
  readonly id = "refuse-replays";
  #signature: string | undefined;
  #isReplay = false;

  override async wrapRequest({ requestArgs, next }: Middleware.WrapRequestArgs): Promise<Middleware.Response> {
    const request = requestArgs.find((argument) => argument instanceof Request);
    if (!request) throw new Error("The SDK's handler was not given its request.");
    // We take only what the check covers: the header could carry more and still be valid.
    this.#signature = new URLSearchParams(request.headers.get("x-inngest-signature") ?? "").get("s") ?? undefined;
    const answer = await next();
    if (!this.#isReplay) return answer;
    log.warn("a call of the job engine came twice; the second was refused");
    // Without the SDK's headers our engine takes it for no answer, signs again and counts no attempt.
    return {
      status: 409,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message: "This call was made already." }),
    };
  }

  /** Called once the signature has been checked, before anything of the function runs. */
  override async wrapFunctionHandler({ next }: Middleware.WrapFunctionHandlerArgs): Promise<unknown> {
    // A dev server signs nothing.
    if (this.#signature !== undefined && !(await claimOnce(`inngest ${this.#signature}`, REMEMBERED_SECONDS))) {
      this.#isReplay = true;
      return undefined;
    }
    return next();
  }
}
