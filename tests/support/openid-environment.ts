/** The app as the provider of tests/support/openid-provider.ts knows it. */
export const CLIENT = { id: "content-planner", secret: "a secret for tests alone" };

/** What the app is told of a provider on this port. */
export function openIdEnvironment(port: number): Record<string, string> {
  return {
    GOOGLE_CLIENT_ID: CLIENT.id,
    GOOGLE_CLIENT_SECRET: CLIENT.secret,
    GOOGLE_ISSUER: `http://127.0.0.1:${port}`,
  };
}
