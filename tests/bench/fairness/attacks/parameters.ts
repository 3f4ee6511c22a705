import { type Attack, always } from "@/tests/bench/fairness/attack";

const PARAMETERS = 5_000;
/** What a name may be made of unescaped: two of these tell most of the parameters apart within Node's 16 KB. */
const LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"];

const query = Array.from({ length: PARAMETERS }, (_, n) => {
  const [first, second] = [n % LETTERS.length, Math.floor(n / LETTERS.length) % LETTERS.length];
  return `${LETTERS[first]}${LETTERS[second]}`;
}).join("&");

/** A stranger sends a query of many parameters once a second. */
export const parameterAttacks: Attack[] = [
  attack("parameters-page", "/auth"),
  attack("parameters-api", "/api/content"),
];

function attack(name: string, path: string): Attack {
  return {
    name,
    about: `5,000 query parameters in one request a second: GET ${path}`,
    pattern: { kind: "every", ms: 1_000 },
    prepare: always(() => [{ method: "GET", path: `${path}?${query}` }]),
  };
}
