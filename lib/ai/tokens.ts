/** What calls have cost. Zero where the provider does not count. */
export type TokenCounts = {
  tokensIn: number;
  tokensOut: number;
  /** Of `tokensIn`, those read from the provider's cache. */
  tokensCached: number;
  /** Of `tokensOut`, those of the model's thoughts. */
  tokensReasoning: number;
};

export const NO_TOKENS: TokenCounts = { tokensIn: 0, tokensOut: 0, tokensCached: 0, tokensReasoning: 0 };

export function addTokens(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    tokensIn: a.tokensIn + b.tokensIn,
    tokensOut: a.tokensOut + b.tokensOut,
    tokensCached: a.tokensCached + b.tokensCached,
    tokensReasoning: a.tokensReasoning + b.tokensReasoning,
  };
}

const paidFor = new WeakMap<object, TokenCounts>();

/** Remembers what was paid before this failure, and returns the failure. */
export function withTokens<E>(failure: E, tokens: TokenCounts): E {
  if (typeof failure === "object" && failure !== null) paidFor.set(failure, addTokens(NO_TOKENS, tokens));
  return failure;
}

/** What was paid before a failure. */
export function tokensOf(failure: unknown): TokenCounts {
  return (typeof failure === "object" && failure !== null && paidFor.get(failure)) || NO_TOKENS;
}
