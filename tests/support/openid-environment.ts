/** The client registered with the provider in openid-provider.ts. */
export const CLIENT = { id: "content-planner", secret: "a secret for tests alone" };

/** The app's environment for a provider on this port. */
export function openIdEnvironment(port: number): Record<string, string> {
  return {
    GOOGLE_CLIENT_ID: CLIENT.id,
    GOOGLE_CLIENT_SECRET: CLIENT.secret,
    GOOGLE_ISSUER: `http://127.0.0.1:${port}`,
  };
}
