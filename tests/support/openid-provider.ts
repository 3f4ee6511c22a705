import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import Provider, { type Configuration } from "oidc-provider";
import { CLIENT } from "@/tests/support/openid-environment";

export type OpenIdProvider = {
  /** Stops and resumes listening, like a provider that is down. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Answers token requests with this status; undefined restores them. */
  failTokens(status: number | undefined): void;
  close(): Promise<void>;
};

/**
 * A real OpenID provider in place of Google. The user types an address, says whether it is verified, and continues,
 * cancels or is denied; they stay signed in there, as with Google.
 */
export async function startOpenIdProvider({ port, appUrl }: { port: number; appUrl: string }): Promise<OpenIdProvider> {
  const confirmed = new Set<string>();
  const provider = new Provider(`http://127.0.0.1:${port}`, await configuration(appUrl, confirmed));
  const oidc = provider.callback();
  let tokenStatus: number | undefined;
  let server = await listen();

  function listen(): Promise<Server> {
    const started = createServer((request, response) => {
      const path = request.url ?? "";
      if (path.startsWith("/interaction/")) void interact(provider, confirmed, request, response);
      else if (path.startsWith("/token") && tokenStatus) response.writeHead(tokenStatus).end("{}");
      else void oidc(request, response);
    });
    return new Promise((resolve) => started.listen(port, "127.0.0.1", () => resolve(started)));
  }

  async function down() {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  return {
    down,
    async up() {
      server = await listen();
    },
    failTokens(status) {
      tokenStatus = status;
    },
    close: down,
  };
}

/** An account's id is its address; `confirmed` holds the verified ones. */
async function configuration(appUrl: string, confirmed: Set<string>): Promise<Configuration> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${appUrl}/api/auth/callback/google`],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig" }] },
    cookies: { keys: ["a key for tests alone"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "picture"] },
    // Like Google: the ID token itself contains the claims.
    conformIdTokenClaims: false,
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => claimsOf(id, confirmed.has(id)) }),
    async loadExistingGrant({ oidc }) {
      const { client, session, provider } = oidc;
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
}

function claimsOf(email: string, isConfirmed: boolean) {
  return { sub: email, email, email_verified: isConfirmed, name: email.split("@")[0], picture: "" };
}

async function interact(
  provider: Provider,
  confirmed: Set<string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== "POST") {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  const email = form.get("email") ?? "";
  if (form.has("confirmed")) confirmed.add(email);
  else confirmed.delete(email);
  await provider.interactionFinished(request, response, resultOf(email, form.get("choice")));
}

function resultOf(accountId: string, choice: string | null) {
  switch (choice) {
    case "cancel":
      return { error: "access_denied", error_description: "The person cancelled." };
    case "refuse":
      return { error: "server_error", error_description: "Something is wrong here." };
    default:
      return { login: { accountId } };
  }
}

const PAGE = `<!doctype html><html lang="en"><title>Sample Google</title><h1>Sample Google</h1>
<form method="post">
<label>Email <input name="email" type="email"></label>
<label><input name="confirmed" type="checkbox" checked> Confirmed</label>
<button name="choice" value="go">Continue</button>
<button name="choice" value="cancel">Cancel</button>
<button name="choice" value="refuse">Refuse</button>
</form></html>`;
