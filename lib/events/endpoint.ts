import "server-only";
import ipaddr from "ipaddr.js";
import type { NextRequest } from "next/server";
import { isLoopback } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { readEngineBody } from "@/lib/events/bodies";
import { inngest } from "@/lib/events/client";
import { noteEngineBack } from "@/lib/events/presence";
import { createRefusedCallers } from "@/lib/events/refused-callers";
import { clientAddress } from "@/lib/limits/address";
import { afterResponse } from "@/lib/transport/after-response";
import { parseJson } from "@/lib/transport/body";
import { toAppError } from "@/lib/transport/reply";
import { hasMoreJsonValues } from "@/lib/utils/json-values";

type SdkHandler = (request: NextRequest, context: unknown) => Promise<Response>;

/** Inngest sends at most 4 MiB of state in a call (the SDK fetches the rest) and the steps' ids. */
const MAX_CALL = 5 * 1_048_576;
/** Parsing and signing take time per value: 3 s for 4 MB of numbers. A run of 1,000 steps has 7,000 values. */
const MAX_VALUES = 40_000;

const refused = createRefusedCallers();

/**
 * Wraps the SDK's handler, which checks the signature: rejects calls that cannot be signed before reading their body,
 * limits bodies before parsing them, and removes stacks from answers. A signed call is the engine's sign that it is there; one
 * that ends its absence has `onEngineBack` send the waiting work, since on Vercel no process watches for that.
 */
export function guardEndpoint(
  sdk: SdkHandler,
  onEngineBack: () => Promise<unknown> = async () => undefined,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const address = clientAddress(request.headers);
    try {
      refused.assertWelcome(address);
      if (inngest.mode === "dev") rejectOtherMachines(request);
      else requireSignature(request.headers.get("x-inngest-signature") ?? "");
      const answer = await sdk((await bounded(request)) as NextRequest, undefined);
      if (answer.status === 401) refused.note(address);
      // The SDK verifies the signature of a POST; it answers other methods without one.
      else if (request.method === "POST" && isFromRun(answer)) {
        refused.trust(address);
        if (await noteEngineBack()) afterResponse("sending waiting work", async () => void (await onEngineBack()));
      }
      return await withoutStacks(answer);
    } catch (error) {
      const { message, status, type, retryAfter } = toAppError(error, request.headers.get("x-request-id") ?? "");
      if (status < 500 && type !== "RATE_LIMITED") refused.note(address);
      const headers = new Headers();
      if (retryAfter !== undefined) headers.set("retry-after", String(Math.ceil(retryAfter)));
      return Response.json({ message }, { status, headers });
    }
  };
}

/** Did the SDK run a function, which it does for signed calls only? A run's failure says whether to try it again. */
function isFromRun({ ok, headers }: Response): boolean {
  return ok || headers.has("x-inngest-no-retry");
}

/** Checks what the header alone tells: a time within five minutes, as the SDK accepts it, and an HMAC-SHA256 in hex. */
function requireSignature(signature: string): void {
  const parts = new URLSearchParams(signature);
  const isNear = Math.abs(Date.now() - 1_000 * Number(parts.get("t"))) <= SIGNED_WITHIN_MS;
  if (isNear && /^[\da-f]{64}$/i.test(parts.get("s") ?? "")) return;
  throw new AppError("UNAUTHENTICATED", { message: "Sign this request." });
}

const SIGNED_WITHIN_MS = 5 * 60_000;

/** Accepts unsigned calls only from a dev server on this machine, never from a browser. */
function rejectOtherMachines({ headers, url }: Request): void {
  const hosts = [headers.get("host") ?? new URL(url).host, headers.get("x-forwarded-host") ?? "localhost"];
  const peers = (headers.get("x-forwarded-for") ?? "127.0.0.1").split(",");
  const isHere = hosts.every(isLocalHost) && peers.every((peer) => isLocalAddress(peer.trim()));
  if (!isHere || headers.has("origin") || headers.has("sec-fetch-site")) throw new AppError("FORBIDDEN_ORIGIN");
}

function isLocalHost(host: string): boolean {
  return URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`));
}

function isLocalAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

async function bounded(request: Request): Promise<Request> {
  const { method, headers, url } = request;
  if (method === "GET") return request;
  const raw = await readEngineBody(request, MAX_CALL);
  if (hasMoreJsonValues(raw, MAX_VALUES)) throw new AppError("PAYLOAD_TOO_LARGE");
  const isCall = method === "POST" || headers.get("x-inngest-sync-kind") === "in_band";
  if (raw === "" && !isCall) return new Request(url, { method, headers });
  const value = parseJson(raw, MAX_VALUES);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new AppError("VALIDATION_ERROR", { message: "The request body must be a JSON object." });
  }
  return new Request(url, { method, headers, body: raw });
}

/** The SDK's own errors have stacks; ours have none (inngest/failures.ts). */
async function withoutStacks(answer: Response): Promise<Response> {
  const { status, headers: given } = answer;
  const text = await answer.text();
  const headers = new Headers(given);
  if (!/"stack":"[^"]/.test(text)) return new Response(text, { status, headers });
  // The signature no longer matches; Inngest checks it only for registrations.
  headers.delete("x-inngest-signature");
  const rest: unknown = JSON.parse(text, (name, value: unknown) => (name === "stack" ? "" : value));
  return Response.json(rest, { status, headers });
}
