import { readFileSync } from "node:fs";
import { INITIAL_FORM_STATE } from "@/lib/transport/form-state";
import { type Attack, always } from "@/tests/bench/fairness/attack";
import type { Call } from "@/tests/bench/fairness/traffic";

const COOKIES = 3_000;
/** Node.js refuses more than 16 KB of headers: of long names fewer cookies fit. */
const HEADER_MAX = 15_000;
const MANIFEST = ".next/server/server-reference-manifest.json";

const unknown = (n: number) => n.toString(36);

/** A stranger sends many cookies once a second. */
export const cookieAttacks: Attack[] = [
  attack("cookies-api", "unknown names", { method: "GET", path: "/api/projects" }, unknown),
  attack(
    "cookies-page",
    "unknown names and a forged session",
    { method: "GET", path: "/content" },
    unknown,
    ";session=forged",
  ),
  attack("cookies-form", "unknown names", { method: "POST", path: "/auth" }, unknown),
  attack("cookies-next-auth", "next-auth.<n>", { method: "GET", path: "/api/projects" }, (n) => `next-auth.${n}`),
  attack("cookies-session", "session.<n>", { method: "GET", path: "/api/projects" }, (n) => `session.${n}`),
  attack("cookies-one-name", "one name", { method: "GET", path: "/api/projects" }, () => "a"),
];

function attack(name: string, about: string, call: Call, nameOf: (n: number) => string, more = ""): Attack {
  const { header, count } = cookiesOf(nameOf);
  return {
    name,
    about: `${count.toLocaleString("en")} cookies in one request a second, ${about}: ${call.method} ${call.path}`,
    pattern: { kind: "every", ms: 1_000 },
    prepare: always(() => {
      const { headers, ...form } = call.method === "POST" ? emptySignIn() : {};
      return [{ ...call, ...form, headers: { ...headers, cookie: header + more } }];
    }),
  };
}

function cookiesOf(nameOf: (n: number) => string): { header: string; count: number } {
  let header = "";
  let count = 0;
  while (count < COOKIES && header.length < HEADER_MAX) header += `${header && ";"}${nameOf(count++)}=`;
  return { header, count };
}

/** The sign-in form without a name, as a browser without scripts posts it: refused before a password is hashed. */
function emptySignIn(): Pick<Call, "headers" | "body"> {
  const { node } = JSON.parse(readFileSync(MANIFEST, "utf8")) as { node: Record<string, { exportedName: string }> };
  const [id] = Object.entries(node).find(([, { exportedName }]) => exportedName === "signInForm") ?? [];
  if (!id) throw new Error("The build has no sign-in form.");
  const fields = {
    $ACTION_REF_1: "",
    "$ACTION_1:0": JSON.stringify({ id, bound: "$@1" }),
    "$ACTION_1:1": JSON.stringify([INITIAL_FORM_STATE]),
    username: "",
    password: "",
    next: "/",
  };
  const parts = Object.entries(fields).map(
    ([name, value]) => `--part\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return { headers: { "content-type": "multipart/form-data; boundary=part" }, body: `${parts.join("")}--part--\r\n` };
}
