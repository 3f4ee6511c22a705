import "server-only";

/** An operation with a protocol of its own: listed in the API document, described elsewhere. */
export type ExternalSpec = { operationId: string; summary: string; external: true };

/** The handler of such an operation. `npm run generate` reads its spec. */
export function external<H>(_spec: Omit<ExternalSpec, "external">, handler: H): H {
  return handler;
}
